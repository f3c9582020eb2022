"""REINFORCE with a baseline and an entropy bonus."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, obs=4, hidden=16, actions=3):
        super().__init__()
        self.affine1 = nn.Linear(obs, hidden)
        self.action_head = nn.Linear(hidden, actions)
        self.value_head = nn.Linear(hidden, 1)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


def discounted(rewards, gamma=0.9):
    R = 0
    returns = []
    for r in rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns, dtype=torch.float32)
    return (returns - returns.mean()) / (returns.std() + 1e-8)


def episode(rng, length=10):
    states = rng.randn(length, 4).astype(np.float32)
    actions = rng.randint(0, 3, length)
    rewards = [float(s.sum() * (a - 1)) for s, a in zip(states, actions)]
    return states, actions, rewards


def train(policy):
    optimizer = optim.Adam(policy.parameters(), lr=1e-2)
    rng = np.random.RandomState(5)
    losses = []
    for i_episode in range(5):
        states, actions, rewards = episode(rng)
        returns = discounted(rewards)
        probs, values = policy(torch.from_numpy(states))
        m = Categorical(probs)
        log_probs = m.log_prob(torch.from_numpy(actions))
        advantage = returns - values.squeeze(-1).detach()
        policy_loss = -(log_probs * advantage).mean()
        value_loss = F.smooth_l1_loss(values.squeeze(-1), returns)
        loss = policy_loss + 0.5 * value_loss - 0.01 * m.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def act(policy):
    states, _, _ = episode(np.random.RandomState(6))
    with torch.no_grad():
        probs, value = policy(torch.from_numpy(states))
        m = Categorical(probs=probs)
        return [probs.argmax(-1), value, m.entropy()]


if __name__ == "__main__":
    net = Policy()
    print(train(net))
    print(act(net))
