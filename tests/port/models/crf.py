"""BiLSTM-CRF sequence labelling: forward algorithm and Viterbi."""
from typing import List, Optional, Tuple

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence


class CRF(nn.Module):
    def __init__(self, num_tags: int) -> None:
        super().__init__()
        self.num_tags = num_tags
        self.start_transitions = nn.Parameter(torch.empty(num_tags))
        self.end_transitions = nn.Parameter(torch.empty(num_tags))
        self.transitions = nn.Parameter(torch.empty(num_tags, num_tags))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.uniform_(self.start_transitions, -0.1, 0.1)
        nn.init.uniform_(self.end_transitions, -0.1, 0.1)
        nn.init.uniform_(self.transitions, -0.1, 0.1)

    def forward(self, emissions: torch.Tensor, tags: torch.LongTensor, mask: torch.Tensor) -> torch.Tensor:
        emissions, tags, mask = emissions.transpose(0, 1), tags.transpose(0, 1), mask.transpose(0, 1)
        numerator = self._score(emissions, tags, mask)
        denominator = self._normalizer(emissions, mask)
        return (numerator - denominator).sum() / mask.float().sum()

    def _score(self, emissions, tags, mask):
        seq_length, batch_size = tags.shape
        mask = mask.float()
        score = self.start_transitions[tags[0]]
        score = score + emissions[0, torch.arange(batch_size), tags[0]]
        for i in range(1, seq_length):
            score = score + self.transitions[tags[i - 1], tags[i]] * mask[i]
            score = score + emissions[i, torch.arange(batch_size), tags[i]] * mask[i]
        seq_ends = mask.long().sum(dim=0) - 1
        last_tags = tags[seq_ends, torch.arange(batch_size)]
        return score + self.end_transitions[last_tags]

    def _normalizer(self, emissions, mask):
        seq_length = emissions.size(0)
        score = self.start_transitions + emissions[0]
        for i in range(1, seq_length):
            broadcast_score = score.unsqueeze(2)
            broadcast_emissions = emissions[i].unsqueeze(1)
            next_score = broadcast_score + self.transitions + broadcast_emissions
            next_score = torch.logsumexp(next_score, dim=1)
            score = torch.where(mask[i].unsqueeze(1), next_score, score)
        score = score + self.end_transitions
        return torch.logsumexp(score, dim=1)

    def decode(self, emissions: torch.Tensor) -> List[List[int]]:
        emissions = emissions.transpose(0, 1)
        score = self.start_transitions + emissions[0]
        history = []
        for i in range(1, emissions.size(0)):
            next_score = score.unsqueeze(2) + self.transitions + emissions[i].unsqueeze(1)
            next_score, indices = next_score.max(dim=1)
            score = next_score
            history.append(indices)
        score = score + self.end_transitions
        best = []
        for idx in range(emissions.size(1)):
            _, best_last = score[idx].max(dim=0)
            tags = [best_last.item()]
            for hist in reversed(history):
                tags.append(hist[idx][tags[-1]].item())
            tags.reverse()
            best.append(tags)
        return best


class Tagger(nn.Module):
    def __init__(self, vocab=15, dim=8, hidden=6, tags=4, pad=0):
        super().__init__()
        self.pad = pad
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, tags)
        self.crf = CRF(tags)

    def emissions(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(h)

    def loss(self, x, y):
        return -self.crf(self.emissions(x), y, x != self.pad)


def corpus(step: int) -> Tuple[torch.Tensor, torch.Tensor]:
    lengths = [5, 3, 4]
    xs = [torch.arange(n) + 1 + step for n in lengths]
    ys = [(torch.arange(n) * 3 + step) % 4 for n in lengths]
    return pad_sequence(xs, batch_first=True), pad_sequence(ys, batch_first=True, padding_value=0)


def make():
    return Tagger()


def train(model):
    optim = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for step in range(5):
        x, y = corpus(step)
        optim.zero_grad()
        loss = model.loss(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optim.step()
        losses.append(loss.item())
    return losses


def predict(model):
    model.eval()
    x, _ = corpus(2)
    with torch.no_grad():
        return model.crf.decode(model.emissions(x))


if __name__ == "__main__":
    net = make()
    print(train(net), predict(net))
