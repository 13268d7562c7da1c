"""The reader's network: question and passages as pieces of the light table -> how likely each piece answers.

Convolutions are one matrix over joined neighbours, which BLAS does well. All passages share one softmax with "none".
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

MATCHES = 6  # numbers per piece that compare it with the question; see `compare`
AROUND = 8  # numbers per piece on what is said around it, and on how passages compare; see `survey`
TOLD = MATCHES + 2 + AROUND
FAR = -1e4


class Conv(nn.Module):
    def __init__(self, width, distance=1):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.weigh = nn.Linear(3 * width, width)
        self.distance = distance

    def forward(self, x, mask):
        h = self.norm(x) * mask
        k = self.distance
        padded = F.pad(h, (0, 0, k, k))
        length = h.shape[1]
        joined = torch.cat([padded[:, :length], h, padded[:, 2 * k : 2 * k + length]], -1)
        return x + F.relu(self.weigh(joined))


class Pool(nn.Module):
    """What the whole passage says, added to each of its pieces."""

    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.weigh = nn.Linear(2 * width, width)

    def forward(self, x, mask):
        h = self.norm(x)
        mean = (h * mask).sum(1) / mask.sum(1)
        most = (h * mask + (mask - 1) * 1e4).max(1).values
        pooled = F.relu(self.weigh(torch.cat([mean, most], -1)))
        return x + pooled[:, None], pooled


class Attend(nn.Module):
    """Each piece looks at all pieces of its passage. Starts as if it were not there."""

    def __init__(self, width, heads=2, size=32):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.seek = nn.Linear(width, 2 * heads * size)
        self.say = nn.Linear(width, width)
        self.weigh = nn.Linear(width, width)
        self.heads, self.size = heads, size
        start_at_zero(self.weigh)

    def forward(self, x, passage_mask):
        h = self.norm(x)
        away = (1 - passage_mask)[:, None, :] * FAR
        seek, say, seen = self.seek(h), self.say(h), []
        part = x.shape[-1] // self.heads
        for head in range(self.heads):
            at = 2 * head * self.size
            asks, offers = seek[..., at : at + self.size], seek[..., at + self.size : at + 2 * self.size]
            near = torch.softmax(asks @ offers.transpose(1, 2) / self.size**0.5 + away, -1)
            seen.append(near @ say[..., head * part : (head + 1) * part])
        return x + self.weigh(F.relu(torch.cat(seen, -1)))


class Wide(nn.Module):
    """A convolution through twice the width, with what the best of all passages says and what is asked. Starts as if it
    were not there.
    """

    def __init__(self, width, distance):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.spread = nn.Linear(3 * width, 2 * width)
        self.told = nn.Linear(2 * width, 2 * width, bias=False)
        self.weigh = nn.Linear(2 * width, width)
        self.distance = distance
        start_at_zero(self.weigh)

    def forward(self, x, mask, told):
        h = self.norm(x) * mask
        k = self.distance
        padded = F.pad(h, (0, 0, k, k))
        length = h.shape[1]
        joined = torch.cat([padded[:, :length], h, padded[:, 2 * k : 2 * k + length]], -1)
        return x + self.weigh(F.relu(self.spread(joined) + self.told(told)[:, None]))


def start_at_zero(layer):
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)


def widen(x, K):
    """The question's for each of its passages."""
    return x.unsqueeze(1).expand(-1, K, *x.shape[1:]).reshape(-1, *x.shape[1:])


class Reader(nn.Module):
    def __init__(self, rows=384, extra=24, width=96, drop=0.1, distances=(1, 2, 4, 8, 1)):
        super().__init__()
        self.project = nn.Linear(rows, width)
        self.learnt = nn.Linear(extra, width, bias=False)
        self.match = nn.Linear(TOLD, width)
        self.shared = nn.ModuleList([Conv(width), Conv(width, 2)])
        self.by_question = nn.Linear(width, 1)
        self.by_piece = nn.Linear(width, 1)
        self.product = nn.Parameter(torch.ones(width) / width**0.5)
        self.join = nn.Linear(4 * width + TOLD, width)
        half = len(distances) // 2 + 1
        self.first = nn.ModuleList([Conv(width, k) for k in distances[:half]])
        self.pool = Pool(width)
        self.attend = Attend(width)
        self.wide = nn.ModuleList([Wide(width, 1), Wide(width, 3)])
        self.second = nn.ModuleList([Conv(width, k) for k in distances[half:]])
        self.answer = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2))
        self.none = nn.Sequential(nn.Linear(2 * width + 6, width), nn.ReLU(), nn.Linear(width, 1))
        self.drop = nn.Dropout(drop)

    def forward(self, question, question_learnt, weight, passage, passage_learnt, passage_mask, is_text, same, score):
        """question [B, Lq, 384], passage [B * K, L, 384]; `same` [B * K, L, Lq]: the same piece; score [B * K].

        `weight`: the lengths of the rows of the question's pieces, 0 where there is none. Returns logits [B * K, L, 2],
        none [B], and how near each piece is to each of the question's [B * K, L, Lq].
        """
        K = passage.shape[0] // question.shape[0]
        cosines = passage @ widen(question, K).transpose(1, 2)
        q, p = self.project(question) + self.learnt(question_learnt), self.project(passage) + self.learnt(passage_learnt)
        return self.read(q, weight, p, cosines, passage_mask, is_text, same, score)

    def read(self, q, weight, p, cosines, passage_mask, is_text, same, score):
        """From the projected rows of the question's and the passages' pieces, and how near they are to each other."""
        question_mask = (weight > 0).float()
        K = p.shape[0] // q.shape[0]
        wide = lambda x: widen(x, K)
        qmask, pmask = question_mask[..., None], passage_mask[..., None]
        matches, cover, found = self.compare(cosines, wide(weight), passage_mask, same)
        around, most_around = self.survey(found, same, wide(weight), passage_mask, score, cover, K)
        told = [matches, is_text[..., None], score[:, None, None].expand(-1, p.shape[1], 1), around]
        told = torch.cat(told, -1)
        q = self.drop(q)
        p = self.drop(p + self.match(told))
        for conv in self.shared:
            q = conv(q, qmask)
            p = conv(p, pmask)
        asked = wide(q)
        away = (1 - wide(question_mask))[:, None, :] * FAR
        likeness = (p * self.product) @ asked.transpose(1, 2) + self.by_piece(p) + self.by_question(asked).transpose(1, 2)
        seen = torch.softmax(likeness + away, -1) @ asked
        most = (likeness + away).max(-1).values + (1 - passage_mask) * FAR
        told_all = torch.softmax(most, -1)[:, None, :] @ p
        h = self.drop(self.join(torch.cat([p, seen, p * seen, p * told_all, told], -1)))
        for conv in self.first:
            h = conv(h, pmask)
        h, pooled = self.pool(h, pmask)
        best = pooled.view(-1, K, pooled.shape[-1]).max(1).values
        mean = (q * qmask).sum(1) / qmask.sum(1)
        told_both = wide(torch.cat([mean, best], -1))
        h = self.attend(h, passage_mask)
        h = self.wide[0](h, pmask, told_both)
        for conv in self.second:
            h = conv(h, pmask)
        h = self.wide[1](h, pmask, told_both)
        out = self.answer(h)
        allowed = (passage_mask * is_text)[..., None]
        out = out * allowed + (1 - allowed) * FAR
        tops = torch.stack([score.view(-1, K).max(1).values, cover.view(-1, K).max(1).values], -1)
        none = self.none(torch.cat([mean, best, tops, most_around], -1))[..., 0]
        return out, none, found

    def compare(self, cosines, weight, passage_mask, same):
        question_mask = (weight > 0).float()
        weight = weight / (weight.sum(-1, keepdim=True) + 1e-6)
        cosines = cosines - 2 * (1 - question_mask)[:, None, :]
        nearest, at = cosines.max(-1)
        theirs = torch.gather(weight, 1, at) * 8
        exact = same.max(-1).values
        exact_weight = (same * weight[:, None, :]).max(-1).values * 8
        found = (cosines - 2 * (1 - passage_mask)[..., None]).clamp(0, 1)
        cover = (found.max(1).values * weight).sum(-1)
        said = (same.max(1).values * weight).sum(-1)
        whole = lambda x: x[:, None].expand(-1, passage_mask.shape[1])
        told = torch.stack([exact, nearest, exact_weight, theirs * nearest, whole(cover), whole(said)], -1)
        return told, cover, found

    def survey(self, found, same, weight, passage_mask, score, cover, K):
        """How much of the question is said within 8 and 24 pieces of each piece, by meaning and word for word, and how far
        that, the passage's score and its cover are below the best of all passages. Also the best of each, per question.
        """
        weight = (weight / (weight.sum(-1, keepdim=True) + 1e-6))[..., None]
        near = []
        for each in (found, same):
            close = F.max_pool1d(each.transpose(1, 2), 17, 1, 8)
            apart = F.pad(close, (16, 16))
            length = close.shape[2]
            wider = torch.maximum(torch.maximum(apart[:, :, :length], close), apart[:, :, 32 : 32 + length])
            near += [(pooled.transpose(1, 2) @ weight)[..., 0] * passage_mask for pooled in (close, wider)]
        most = [each.reshape(-1, K * each.shape[1]).max(1).values for each in near]
        wide = lambda x: x[:, None].expand(-1, K).reshape(-1)
        whole = lambda x: x[:, None].expand(-1, passage_mask.shape[1])
        below = [near[at] - wide(most[at])[:, None] for at in (1, 3)]
        for own in (score, cover):
            below.append(whole(own - wide(own.view(-1, K).max(1).values)))
        return torch.stack([*near, *below], -1), torch.stack(most, -1)
