"""Advantage actor critic with generalised advantages and an entropy bonus."""

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, hidden, n_actions):
        super(ActorCritic, self).__init__()
        self.base = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, n_actions)
        self.critic = nn.Linear(hidden, 1)
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.orthogonal_(m.weight, gain=np.sqrt(2))
            m.bias.data.zero_()

    def forward(self, x):
        features = self.base(x)
        return self.actor(features), self.critic(features).squeeze(-1)

    def evaluate_actions(self, obs, actions):
        logits, values = self(obs)
        dist = Categorical(logits=logits)
        return values, dist.log_prob(actions), dist.entropy().mean()


class RolloutStorage:
    def __init__(self, num_steps, num_envs, obs_dim):
        self.obs = torch.zeros(num_steps + 1, num_envs, obs_dim)
        self.rewards = torch.zeros(num_steps, num_envs)
        self.values = torch.zeros(num_steps + 1, num_envs)
        self.returns = torch.zeros(num_steps + 1, num_envs)
        self.actions = torch.zeros(num_steps, num_envs, dtype=torch.long)
        self.masks = torch.ones(num_steps + 1, num_envs)
        self.num_steps = num_steps
        self.step = 0

    def insert(self, obs, actions, values, rewards, masks):
        self.obs[self.step + 1] = obs
        self.actions[self.step] = actions
        self.values[self.step] = values
        self.rewards[self.step] = rewards
        self.masks[self.step + 1] = masks
        self.step = (self.step + 1) % self.num_steps

    def after_update(self):
        self.obs[0] = self.obs[-1]
        self.masks[0] = self.masks[-1]

    def compute_returns(self, next_value, gamma=0.99, lam=0.95):
        self.values[-1] = next_value
        gae = 0
        for step in reversed(range(self.num_steps)):
            delta = self.rewards[step] + gamma * self.values[step + 1] * self.masks[step + 1] - self.values[step]
            gae = delta + gamma * lam * self.masks[step + 1] * gae
            self.returns[step] = gae + self.values[step]


class Env:
    def __init__(self, num_envs, obs_dim, seed=0):
        self.rng = np.random.RandomState(seed)
        self.num_envs, self.obs_dim = num_envs, obs_dim

    def reset(self):
        return self.rng.randn(self.num_envs, self.obs_dim).astype(np.float32)

    def step(self, actions):
        obs = self.rng.randn(self.num_envs, self.obs_dim).astype(np.float32)
        reward = (actions == (obs[:, 0] > 0)).astype(np.float32)
        done = self.rng.rand(self.num_envs) < 0.1
        return obs, reward, done


def train(agent, num_envs=4, num_steps=6):
    env = Env(num_envs, 3)
    optimizer = optim.RMSprop(agent.parameters(), lr=7e-3, eps=1e-5, alpha=0.99)
    rollouts = RolloutStorage(num_steps, num_envs, 3)
    rollouts.obs[0].copy_(torch.from_numpy(env.reset()))
    history = []
    for update in range(5):
        for step in range(num_steps):
            with torch.no_grad():
                logits, value = agent(rollouts.obs[step])
                action = logits.argmax(dim=-1)
            obs, reward, done = env.step(action.cpu().numpy())
            masks = torch.tensor([0.0 if d else 1.0 for d in done])
            rollouts.insert(torch.from_numpy(obs), action, value, torch.from_numpy(reward), masks)
        with torch.no_grad():
            next_value = agent(rollouts.obs[-1])[1]
        rollouts.compute_returns(next_value)
        values, log_probs, entropy = agent.evaluate_actions(rollouts.obs[:-1].view(-1, 3), rollouts.actions.view(-1))
        advantages = rollouts.returns[:-1].view(-1) - values
        value_loss = advantages.pow(2).mean()
        action_loss = -(advantages.detach() * log_probs).mean()
        optimizer.zero_grad()
        loss = value_loss * 0.5 + action_loss - entropy * 0.01
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
        rollouts.after_update()
        history.append(loss.item())
    return history


def predict(agent):
    agent.eval()
    with torch.no_grad():
        logits, values = agent(torch.linspace(-1, 1, 12).view(4, 3))
        return [torch.softmax(logits, dim=-1), values]


if __name__ == "__main__":
    net = ActorCritic(3, 8, 2)
    print(train(net))
    print(predict(net))
