"""Deep Q-learning with a replay memory and a target network."""

import math
import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
BATCH_SIZE = 8
GAMMA = 0.9
TAU = 0.05


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, n_observations, n_actions):
        super(DQN, self).__init__()
        self.layer1 = nn.Linear(n_observations, 16)
        self.layer2 = nn.Linear(16, 16)
        self.layer3 = nn.Linear(16, n_actions)

    def forward(self, x):
        x = F.relu(self.layer1(x))
        x = F.relu(self.layer2(x))
        return self.layer3(x)


class Corridor:
    """A walk on a line: the state is where one is, and how long one has walked."""

    def __init__(self):
        self.rng = np.random.RandomState(5)

    def reset(self):
        self.at, self.t = 0, 0
        return np.array([0.0, 0.0, 1.0], dtype=np.float32)

    def step(self, action):
        self.at += 1 if action == 1 else -1
        self.t += 1
        done = abs(self.at) >= 3 or self.t >= 9
        reward = 1.0 if self.at >= 3 else -0.1
        return np.array([self.at / 3, self.t / 9, 1.0], dtype=np.float32), reward, done


def select_action(policy_net, state, steps_done):
    sample = random.random()
    eps_threshold = 0.05 + 0.85 * math.exp(-1.0 * steps_done / 10)
    if sample > eps_threshold:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    else:
        return torch.tensor([[random.randrange(2)]], device=device, dtype=torch.long)


def optimize_model(policy_net, target_net, memory, optimizer):
    if len(memory) < BATCH_SIZE:
        return None
    transitions = memory.sample(BATCH_SIZE)
    batch = Transition(*zip(*transitions))
    non_final_mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)), device=device, dtype=torch.bool)
    non_final_next_states = torch.cat([s for s in batch.next_state if s is not None])
    state_batch = torch.cat(batch.state)
    action_batch = torch.cat(batch.action)
    reward_batch = torch.cat(batch.reward)

    state_action_values = policy_net(state_batch).gather(1, action_batch)
    next_state_values = torch.zeros(BATCH_SIZE, device=device)
    with torch.no_grad():
        next_state_values[non_final_mask] = target_net(non_final_next_states).max(1).values
    expected_state_action_values = (next_state_values * GAMMA) + reward_batch

    criterion = nn.SmoothL1Loss()
    loss = criterion(state_action_values, expected_state_action_values.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    return loss.item()


def make():
    policy_net = DQN(3, 2).to(device)
    target_net = DQN(3, 2).to(device)
    return policy_net, target_net


def train(policy_net, target_net):
    random.seed(3)
    target_net.load_state_dict(policy_net.state_dict())
    optimizer = optim.AdamW(policy_net.parameters(), lr=1e-2, amsgrad=True)
    memory = ReplayMemory(100)
    env = Corridor()
    losses = []
    steps_done = 0
    while len(losses) < 5:
        state = torch.tensor(env.reset(), dtype=torch.float32, device=device).unsqueeze(0)
        done = False
        while not done:
            action = select_action(policy_net, state, steps_done)
            steps_done += 1
            observation, reward, done = env.step(action.item())
            reward = torch.tensor([reward], device=device)
            next_state = None if done else torch.tensor(observation, dtype=torch.float32, device=device).unsqueeze(0)
            memory.push(state, action, next_state, reward)
            state = next_state
            loss = optimize_model(policy_net, target_net, memory, optimizer)
            if loss is not None:
                losses.append(loss)
            target_net_state_dict = target_net.state_dict()
            policy_net_state_dict = policy_net.state_dict()
            for key in policy_net_state_dict:
                target_net_state_dict[key] = policy_net_state_dict[key] * TAU + target_net_state_dict[key] * (1 - TAU)
            target_net.load_state_dict(target_net_state_dict)
    return losses[:5]


def evaluate(policy_net, target_net):
    grid = torch.linspace(-1, 1, 7, device=device)
    states = torch.stack([grid, grid.abs(), torch.ones_like(grid)], dim=1)
    with torch.no_grad():
        return [policy_net(states), target_net(states)]


if __name__ == "__main__":
    nets = make()
    print(train(*nets))
    print(evaluate(*nets))
