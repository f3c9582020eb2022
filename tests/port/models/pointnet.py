"""PointNet with a feature transform and its regulariser."""
import torch
import torch.nn as nn
import torch.nn.parallel
import torch.utils.data
import numpy as np
import torch.nn.functional as F


class STNkd(nn.Module):
    def __init__(self, k=3):
        super(STNkd, self).__init__()
        self.conv1 = torch.nn.Conv1d(k, 8, 1)
        self.conv2 = torch.nn.Conv1d(8, 16, 1)
        self.fc1 = nn.Linear(16, 12)
        self.fc2 = nn.Linear(12, k * k)
        self.relu = nn.ReLU()
        self.k = k

    def forward(self, x):
        batchsize = x.size()[0]
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = torch.max(x, 2, keepdim=True)[0]
        x = x.view(-1, 16)
        x = F.relu(self.fc1(x))
        x = self.fc2(x)
        iden = torch.from_numpy(np.eye(self.k).flatten().astype(np.float32)).view(1, self.k * self.k).repeat(batchsize, 1)
        if x.is_cuda:
            iden = iden.cuda()
        x = x + iden
        x = x.view(-1, self.k, self.k)
        return x


class PointNetCls(nn.Module):
    def __init__(self, k=4, feature_transform=True):
        super(PointNetCls, self).__init__()
        self.stn = STNkd(k=3)
        self.conv1 = torch.nn.Conv1d(3, 8, 1)
        self.bn1 = nn.BatchNorm1d(8)
        self.feature_transform = feature_transform
        if self.feature_transform:
            self.fstn = STNkd(k=8)
        self.conv2 = torch.nn.Conv1d(8, 16, 1, bias=False)
        self.bn2 = nn.BatchNorm1d(16)
        self.fc = nn.Linear(16, k)
        self.dropout = nn.Dropout(p=0.0)

    def forward(self, x):
        n_pts = x.size()[2]
        trans = self.stn(x)
        x = x.transpose(2, 1)
        x = torch.bmm(x, trans)
        x = x.transpose(2, 1)
        x = F.relu(self.conv1(x))
        if self.feature_transform:
            trans_feat = self.fstn(x)
            x = x.transpose(2, 1)
            x = torch.bmm(x, trans_feat)
            x = x.transpose(2, 1)
        else:
            trans_feat = None
        x = self.bn2(self.conv2(x))
        x = torch.max(x, 2)[0]
        x = self.dropout(self.fc(x))
        return F.log_softmax(x, dim=1), trans, trans_feat


def feature_transform_regularizer(trans):
    d = trans.size()[1]
    batchsize = trans.size()[0]
    I = torch.eye(d)[None, :, :]
    if trans.is_cuda:
        I = I.cuda()
    loss = torch.mean(torch.norm(torch.bmm(trans, trans.transpose(2, 1)) - I, dim=(1, 2)))
    return loss


class Points(torch.utils.data.Dataset):
    def __init__(self, n=20, npoints=10):
        rng = np.random.RandomState(7)
        self.points = rng.randn(n, npoints, 3).astype(np.float32)
        self.cls = rng.randint(0, 4, n)

    def __getitem__(self, index):
        point_set = self.points[index]
        point_set = point_set - np.expand_dims(np.mean(point_set, axis=0), 0)
        cls = torch.from_numpy(np.array([self.cls[index]]).astype(np.int64))
        return torch.from_numpy(point_set), cls

    def __len__(self):
        return len(self.cls)


def make():
    return PointNetCls()


def train(classifier):
    dataset = Points()
    dataloader = torch.utils.data.DataLoader(dataset, batch_size=4, shuffle=False, num_workers=0)
    optimizer = torch.optim.SGD(classifier.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    losses = []
    for i, data in enumerate(dataloader, 0):
        points, target = data
        target = target[:, 0]
        points = points.transpose(2, 1)
        optimizer.zero_grad()
        classifier = classifier.train()
        pred, trans, trans_feat = classifier(points)
        loss = F.nll_loss(pred, target)
        if True:
            loss += feature_transform_regularizer(trans_feat) * 0.001
        loss.backward()
        optimizer.step()
        scheduler.step()
        pred_choice = pred.data.max(1)[1]
        correct = pred_choice.eq(target.data).cpu().sum()
        print('[%d] train loss: %f accuracy: %f' % (i, loss.item(), correct.item() / float(4)))
        losses.append(loss.item())
    return losses


def predict(classifier):
    classifier = classifier.eval()
    points = torch.from_numpy(Points().points[:4]).transpose(2, 1)
    pred, _, _ = classifier(points)
    return pred.detach()


if __name__ == "__main__":
    net = make()
    print(train(net))
    print(predict(net))
