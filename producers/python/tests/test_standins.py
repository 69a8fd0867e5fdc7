"""What this machine's torch cannot do on a CPU, against stand-ins: NCCL, FSDP's calls, uneven all-to-all, Megatron, device meshes."""

import os
import sys
import types
import unittest
import weakref

from argus import _layout as L
from argus import _patch
from argus._collectives import Collectives
from argus._config import Config
from argus._groups import Groups, dimension_of, ranges
from argus._recorder import Recorder
from argus._ring import Ring
from argus._ringfile import Head, create
from tests.ringreader import read
from tests.support import Rings


class Tensor:
    def __init__(self, numel, cuda=True):
        self._numel = numel
        self.is_cuda = cuda

    def numel(self):
        return self._numel

    def element_size(self):
        return 2


class Pg:
    def __init__(self, ranks, name, desc="undefined"):
        self.ranks, self.group_name, self.group_desc = ranks, name, desc

    def size(self):
        return len(self.ranks)


class Work:
    def wait(self):
        return True

    def is_completed(self):
        return True


class Dist(types.ModuleType):
    """As much of torch.distributed as is called; rank 1 of 4, with the signatures of torch 2."""

    def __init__(self, backend="nccl"):
        super().__init__("stand_in_dist")
        self.world = Pg([0, 1, 2, 3], "0", "default_pg")
        self.calls = []
        self._backend = backend

        class GroupMember:
            WORLD = self.world

        self.GroupMember = GroupMember
        self.Work = Work
        calls = self.calls

        def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
            calls.append("all_gather_into_tensor")
            return Work() if async_op else None

        def reduce_scatter_tensor(output, input, op=None, group=None, async_op=False):
            calls.append("reduce_scatter_tensor")
            return Work() if async_op else None

        def _reduce_scatter_base(output, input, op=None, group=None, async_op=False):
            return self.reduce_scatter_tensor(output, input, op, group, async_op)

        def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
            calls.append("all_to_all_single")

        def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
            calls.append("all_to_all")

        def barrier(group=None, async_op=False, device_ids=None):
            calls.append("barrier")

        def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
            if tensor is None:
                raise ValueError("the user's own")

        def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
            calls.append("isend")
            return Work()

        def irecv(tensor, src=None, group=None, tag=0, group_src=None):
            calls.append("irecv")
            return Work()

        class P2POp:
            def __init__(self, op, tensor, peer=None, group=None, tag=0):
                self.op, self.tensor, self.peer, self.group, self.tag = op, tensor, peer, group, tag

        def batch_isend_irecv(p2p_op_list):
            for o in p2p_op_list:
                o.op(o.tensor, o.peer, o.group, o.tag)
            return [Work()]

        for f in (all_gather_into_tensor, reduce_scatter_tensor, _reduce_scatter_base, all_to_all_single, all_to_all, barrier,
                  broadcast, isend, irecv, P2POp, batch_isend_irecv):
            setattr(self, f.__name__, f)

    def _get_default_group(self):
        return self.world

    def get_backend(self, pg=None):
        return self._backend

    def get_rank(self):
        return 1

    def get_world_size(self):
        return 4

    def is_available(self):
        return True

    def is_initialized(self):
        return True

    def get_process_group_ranks(self, pg):
        return pg.ranks


class StandIn(Rings):
    BACKEND = "nccl"

    def setUp(self):
        super().setUp()
        self.to = Recorder()
        self.to.config = Config()
        self.to.live = True
        self.to.ring = Ring(create(self.rings, "x.ring", Head(2, 4096, 1, 1, 2, 3)), 4096)
        self.to._apply()
        self.dist = Dist(self.BACKEND)
        self.groups = Groups(self.to)
        self.groups.dist = self.groups.c10d = self.dist
        self.collectives = Collectives(self.to, self.groups)
        self.collectives.install(self.dist)
        self.addCleanup(_patch.undo_all)

    def content(self):
        self.assertEqual(0, self.to.errors)
        self.to.ring.flush()
        return read(os.path.join(self.rings, "x.ring"))


class NcclTest(StandIn):
    def test_the_calls_of_fsdp_are_launches_with_an_identity(self):
        shard = Pg([1, 3], "5", "mesh_shard")
        for i in range(3):
            work = self.dist.all_gather_into_tensor(Tensor(2000), Tensor(1000), group=shard, async_op=True)
            self.assertIsInstance(work, Work)
        self.dist.reduce_scatter_tensor(Tensor(1000), Tensor(2000), group=shard)
        self.dist._reduce_scatter_base(Tensor(10), Tensor(20), None, shard)
        c = self.content()
        self.assertEqual([("all_gather", 4000, 0), ("all_gather", 4000, 1), ("all_gather", 4000, 2), ("reduce_scatter", 4000, 3),
                          ("reduce_scatter", 40, 4)], [(x.op, x.size, x.sequence) for x in c.ended()])
        self.assertEqual({8}, {x.flags for x in c.ended()}, "times are of the launch")
        self.assertEqual({9}, {x.flags for x in c.begun()})
        self.assertEqual({"nccl:all_gather", "nccl:reduce_scatter"}, {x.name for x in c.ended()})
        g = c.groups[c.ended()[0].group]
        self.assertEqual((2, "5", "mesh_shard", "1,3", 2), (g.dimension, g.name, g.description, g.members, g.size))

    def test_uneven_all_to_all_is_told_from_balanced(self):
        a, b = Tensor(8), Tensor(8)
        self.dist.all_to_all_single(a, b)
        self.dist.all_to_all_single(a, b, [2, 2, 2, 2], [2, 2, 2, 2])
        self.dist.all_to_all_single(a, b, [2, 2, 2, 2], [1, 3, 2, 2])
        self.dist.all_to_all([Tensor(2), Tensor(2)], [Tensor(2), Tensor(2)])
        self.dist.all_to_all([Tensor(2), Tensor(3)], [Tensor(2), Tensor(2)])
        self.assertEqual(["all_to_all", "all_to_all", "all_to_all_uneven", "all_to_all", "all_to_all_uneven"],
                         [c.op for c in self.content().ended()])

    def test_a_batch_is_one_kernel_of_several_operations(self):
        d = self.dist
        ops = [d.P2POp(d.isend, Tensor(4), 2), d.P2POp(d.irecv, Tensor(4), 0), d.P2POp(d.isend, Tensor(8), 2)]
        for _ in range(2):
            d.batch_isend_irecv(ops)
        self.assertEqual(["isend", "irecv", "isend"] * 2, d.calls)
        ended = self.content().ended()
        self.assertEqual([("send", 2, 0), ("recv", 0, 0), ("send", 2, 1), ("send", 2, 2), ("recv", 0, 1), ("send", 2, 3)],
                         [(c.op, c.peer, c.sequence) for c in ended])
        self.assertEqual({(24, 3)}, {(c.flags, c.operations) for c in ended})
        self.assertEqual(2, len({c.start for c in ended}), "one start for each batch")

    def test_functions_taken_before_they_were_wrapped_still_fit(self):
        original = getattr(self.dist.isend, _patch.MARK)
        self.assertIsNot(original, self.dist.isend)
        self.assertIs(self.dist.isend, self.dist.P2POp(original, Tensor(1), 2).op)

    def test_ranks_within_a_group_and_errors_of_the_user(self):
        odd = Pg([1, 3], "7")
        self.dist.broadcast(Tensor(1), group=odd, group_src=1)
        self.assertEqual(3, self.content().ended()[-1].peer)
        with self.assertRaisesRegex(ValueError, "the user's own"):
            self.dist.broadcast(None, 0)
        self.dist.barrier()
        self.assertEqual([("broadcast", 0), ("broadcast", 0), ("barrier", 1)],
                         [(c.op, c.sequence) for c in self.content().ended()])

    def test_numbers_go_on_while_nothing_is_recorded(self):
        self.dist.barrier()
        self.to.collectives_on = False
        for _ in range(3):
            self.dist.barrier()
        self.to.collectives_on = True
        self.dist.barrier()
        self.assertEqual([0, 4], [c.sequence for c in self.content().ended()])

    def test_who_is_no_member_is_left_alone(self):
        self.dist.barrier(group=object())
        self.assertEqual([], self.content().collectives)
        self.assertEqual(["barrier"], self.dist.calls)

    def test_a_group_is_not_kept_alive(self):
        pg = Pg([0, 1], "9")
        self.dist.barrier(group=pg)
        gone = weakref.ref(pg)
        del pg
        self.assertIsNone(gone())


class MixedTest(StandIn):
    BACKEND = "cpu:gloo,cuda:nccl"

    def test_the_backend_is_that_of_the_tensor(self):
        self.dist.broadcast(Tensor(1, cuda=False), 0)
        self.dist.broadcast(Tensor(1, cuda=True), 0)
        self.assertEqual([("gloo:broadcast", 4), ("nccl:broadcast", 8)], [(c.name, c.flags) for c in self.content().ended()])


class GlooTest(StandIn):
    BACKEND = "gloo"

    def test_works_that_nobody_waits_for_end_with_the_step_or_are_given_up(self):
        works = [self.dist.isend(Tensor(1, cuda=False), 2) for _ in range(1030)]
        c = self.content()
        self.assertEqual((1030, 6, 6), (len(c.begun()), len(c.ended()), c.dropped[6]))
        self.assertEqual({(8, 0)}, {(x.flags, x.duration) for x in c.ended()})
        self.collectives.sweep()
        self.assertEqual(6 + 16, len(self.content().ended()))
        works[-1].wait()
        works[-1].wait()
        self.assertEqual((6 + 16 + 1, 1029), (len(self.content().ended()), self.content().ended()[-1].sequence))


class TopologyTest(StandIn):
    def test_ranges(self):
        for ranks, text in (([], ""), ([3], "3"), ([1, 0], "0-1"), ([0, 1, 2, 16, 8, 9], "0-2,8-9,16")):
            self.assertEqual(text, ranges(ranks))

    def test_dimensions_by_name(self):
        for name, dimension in (("TENSOR_MODEL_PARALLEL_GROUP", L.DIM_TP), ("DATA_PARALLEL_GROUP_WITH_CP", L.DIM_DP),
                                ("mesh_pp", L.DIM_PP), ("EXPERT_MODEL_PARALLEL_GROUP", L.DIM_EP), ("mesh_fsdp", L.DIM_DP),
                                ("CONTEXT_PARALLEL_GROUP", L.DIM_CP), ("default_pg", 0), ("12", 0), ("happy", 0)):
            self.assertEqual(dimension, dimension_of(name), name)

    def test_megatron_tells_sizes_and_groups(self):
        tp, dp = Pg([0, 1], "1"), Pg([1, 3], "2")
        state = types.ModuleType("megatron.core.parallel_state")
        state.model_parallel_is_initialized = lambda: True
        for dim, n in (("tensor_model", 2), ("data", 2), ("pipeline_model", 1), ("context", 1)):
            setattr(state, "get_%s_parallel_world_size" % dim, lambda n=n: n)
        state.get_tensor_model_parallel_group = lambda: tp
        state.get_data_parallel_group = lambda: dp
        sys.modules[state.__name__] = state
        self.addCleanup(sys.modules.pop, state.__name__)
        self.groups.describe()
        c = self.content()
        self.assertEqual([("tp=2,dp=2,pp=1", 0)], c.identity[12])
        self.assertEqual({"0-1": 1, "1,3": 2}, {g.members: g.dimension for g in c.groups.values()})
        self.assertTrue(self.groups.has("tp"))
        self.assertFalse(self.groups.has("pp"))

    def test_a_device_mesh_is_written_fastest_dimension_first(self):
        pgs = {"dp": Pg([1, 3], "1"), "tp": Pg([0, 1], "2")}

        class Mesh:
            mesh_dim_names = ("dp", "tp")
            mesh = types.SimpleNamespace(shape=(2, 2))
            get_group = staticmethod(pgs.__getitem__)

        self.groups.mesh(Mesh())
        c = self.content()
        self.assertEqual([("tp=2,dp=2", 0)], c.identity[12])
        self.assertEqual({"0-1": 1, "1,3": 2}, {g.members: g.dimension for g in c.groups.values()})


if __name__ == "__main__":
    unittest.main()
