"""A tagger of words: embeddings, a bidirectional LSTM, a tag for each word."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

PAD = 0


class LSTMTagger(nn.Module):
    def __init__(self, embedding_dim, hidden_dim, vocab_size, tagset_size, num_layers=2):
        super(LSTMTagger, self).__init__()
        self.hidden_dim = hidden_dim
        self.num_layers = num_layers

        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim, padding_idx=PAD)

        # The LSTM takes word embeddings as inputs, and outputs hidden states
        # with dimensionality hidden_dim.
        self.lstm = nn.LSTM(
            embedding_dim, hidden_dim, num_layers, batch_first=True, bidirectional=True
        )

        # The linear layer that maps from hidden state space to tag space
        self.hidden2tag = nn.Linear(2 * hidden_dim, tagset_size)

    def init_hidden(self, batch_size):
        shape = (2 * self.num_layers, batch_size, self.hidden_dim)
        return torch.zeros(*shape), torch.zeros(*shape)

    def forward(self, sentence):
        embeds = self.word_embeddings(sentence)
        hidden = self.init_hidden(sentence.size(0))
        lstm_out, _ = self.lstm(embeds, hidden)
        tag_space = self.hidden2tag(lstm_out)
        tag_scores = F.log_softmax(tag_space, dim=-1)
        return tag_scores


def prepare(rng, vocab_size, tagset_size, batch=4, length=7):
    sentence = rng.randint(1, vocab_size, (batch, length))
    tags = sentence % tagset_size
    for row, n in enumerate(rng.randint(3, length + 1, batch)):
        sentence[row, n:] = PAD
        tags[row, n:] = -1
    return torch.LongTensor(sentence.tolist()), torch.LongTensor(tags.tolist())


def train(model, vocab_size=30, tagset_size=5):
    rng = np.random.RandomState(4)
    loss_function = nn.NLLLoss(ignore_index=-1)
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for epoch in range(5):
        sentence_in, targets = prepare(rng, vocab_size, tagset_size)

        # Step 1. Remember that Pytorch accumulates gradients.
        # We need to clear them out before each instance
        model.zero_grad()

        # Step 2. Run our forward pass.
        tag_scores = model(sentence_in)

        # Step 3. Compute the loss, gradients, and update the parameters by
        #  calling optimizer.step()
        loss = loss_function(tag_scores.view(-1, tagset_size), targets.view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.25)
        optimizer.step()
        losses.append(float(loss))
    return losses


def tag(model, vocab_size=30, tagset_size=5):
    # Here we don't need to train, so the code is wrapped in torch.no_grad()
    with torch.no_grad():
        inputs, _ = prepare(np.random.RandomState(5), vocab_size, tagset_size)
        scores = model(inputs)
        best, indices = torch.max(scores, dim=-1)
        return scores, indices


if __name__ == "__main__":
    torch.manual_seed(1)
    model = LSTMTagger(12, 10, 30, 5)
    train(model)
    tag(model)
