"""PPO: clipped ratios of a Gaussian policy, several epochs over minibatches."""

import numpy as np
import torch
import torch.nn as nn
from torch.distributions.normal import Normal


def layer_init(layer, std=np.sqrt(2), bias_const=0.0):
    torch.nn.init.orthogonal_(layer.weight, std)
    torch.nn.init.constant_(layer.bias, bias_const)
    return layer


class Agent(nn.Module):
    def __init__(self, obs_dim=3, act_dim=2):
        super().__init__()
        self.critic = nn.Sequential(
            layer_init(nn.Linear(obs_dim, 16)), nn.Tanh(), layer_init(nn.Linear(16, 1), std=1.0)
        )
        self.actor_mean = nn.Sequential(
            layer_init(nn.Linear(obs_dim, 16)), nn.Tanh(), layer_init(nn.Linear(16, act_dim), std=0.01)
        )
        self.actor_logstd = nn.Parameter(torch.zeros(1, act_dim))

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        action_mean = self.actor_mean(x)
        action_logstd = self.actor_logstd.expand_as(action_mean)
        action_std = torch.exp(action_logstd)
        probs = Normal(action_mean, action_std)
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action).sum(1), probs.entropy().sum(1), self.critic(x)


def gae(rewards, values, dones, gamma=0.99, lam=0.95):
    advantages = torch.zeros_like(rewards)
    lastgaelam = 0
    steps = rewards.shape[0]
    for t in reversed(range(steps - 1)):
        nonterminal = 1.0 - dones[t + 1]
        delta = rewards[t] + gamma * values[t + 1] * nonterminal - values[t]
        advantages[t] = lastgaelam = delta + gamma * lam * nonterminal * lastgaelam
    return advantages, advantages + values


def train(agent, clip_coef=0.2, vf_coef=0.5, ent_coef=0.01):
    optimizer = torch.optim.AdamW(agent.parameters(), lr=3e-3, eps=1e-5, weight_decay=0.0)
    rng = np.random.RandomState(0)
    obs = torch.Tensor(rng.randn(40, 3))
    actions = torch.Tensor(rng.randn(40, 2))
    rewards = torch.Tensor(rng.randn(40))
    dones = torch.Tensor((rng.rand(40) < 0.1).astype(np.float64))
    with torch.no_grad():
        values = agent.get_value(obs).flatten()
        _, logprobs, _, _ = agent.get_action_and_value(obs, actions)
        advantages, returns = gae(rewards, values, dones)
    losses = []
    b_inds = np.arange(40)
    for epoch in range(5):
        rng.shuffle(b_inds)
        for start in range(0, 40, 20):
            mb_inds = b_inds[start : start + 20]
            _, newlogprob, entropy, newvalue = agent.get_action_and_value(obs[mb_inds], actions[mb_inds])
            logratio = newlogprob - logprobs[mb_inds]
            ratio = logratio.exp()
            mb_advantages = advantages[mb_inds]
            mb_advantages = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)
            pg_loss1 = -mb_advantages * ratio
            pg_loss2 = -mb_advantages * torch.clamp(ratio, 1 - clip_coef, 1 + clip_coef)
            pg_loss = torch.max(pg_loss1, pg_loss2).mean()
            v_loss = 0.5 * ((newvalue.view(-1) - returns[mb_inds]) ** 2).mean()
            loss = pg_loss - ent_coef * entropy.mean() + v_loss * vf_coef
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
        losses.append(loss.item())
    return losses


def evaluate(agent):
    obs = torch.Tensor(np.random.RandomState(1).randn(5, 3))
    with torch.no_grad():
        return [agent.get_value(obs), agent.actor_mean(obs)]


if __name__ == "__main__":
    net = Agent()
    print(train(net))
    print(evaluate(net))
