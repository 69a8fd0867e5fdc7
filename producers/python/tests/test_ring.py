"""The ring as such: full, wrapped, attached to, hostile; its file and its directory; fork."""

import os
import stat
import threading
import time
import unittest

from argus import _layout as L
from argus._ring import Ring
from argus._ringfile import Head, RingUnavailable, create, open_directory
from tests.ringreader import read
from tests.support import Agent, Rings


class RingCase(Rings):
    CAPACITY = 1024

    def make(self):
        head = Head(2, self.CAPACITY, 1, os.getpid(), 2, 3)
        ring = Ring(create(self.rings, "1-3.python.ring", head), self.CAPACITY)
        self.path = os.path.join(self.rings, "1-3.python.ring")
        self.agent = Agent(self.path)
        return ring


class WriterTest(RingCase):
    def test_a_full_ring_drops_counts_and_tells_the_gap_when_there_is_room(self):
        ring = self.make()
        for i in range(self.CAPACITY + 7):
            ring.step(0, i, 1, 1, i)
        c = read(self.path)
        self.assertEqual(self.CAPACITY, c.records)
        self.assertEqual(7, c.dropped[0])
        self.assertEqual([], c.losses)

        self.agent.taken(2)  # room for the loss and its clock, but not for what comes after
        self.assertFalse(ring.step(0, 1, 1, 1, 5000))
        self.agent.taken(10)
        self.assertTrue(ring.step(0, 1, 1, 1, 5001))
        c = read(self.path)
        self.assertEqual([(0, 8)], [(r, n) for r, _, _, n in c.losses])
        self.assertEqual(1, len(c.clocks))
        self.assertEqual(5001, c.steps[-1].number)

    def test_a_collective_and_a_text_go_over_the_end_of_the_ring_in_one_piece(self):
        ring = self.make()
        group = ring.name("default_pg")
        ring.define_group(1, 0, group, 0, ring.name("0-1"), 2)
        while ring._position < self.CAPACITY - 1:
            ring.step(0, 1, 1, 1, 1)
        self.agent.taken(0)
        self.assertFalse(ring.collective(1, 4, 1, 5, 6, 7, 0, -1, 1, 8, 9, 2, 0), "two records do not fit into one place")
        self.agent.taken(500)
        self.assertTrue(ring.collective(1, 4, 1, 5, 6, 7, 0, -1, 1, 8, 9, 2, ring.name("x" * 100)))

        ring._gap = None
        while ring._position % self.CAPACITY != self.CAPACITY - 1:
            self.agent.taken(ring._position - 10)
            ring.step(0, 1, 1, 1, 1)
        self.agent.taken(ring._position)
        ring._groups_defined.clear()
        ring._defined = {0}
        position = ring._position
        self.assertTrue(ring.collective(1, 4, 1, 50, 60, 7, 0, -1, 1, 8, 10, 2, 0))
        self.agent.taken(position)
        c = read(self.path)
        self.assertEqual([(50, 60, 10)], [(x.start, x.duration, x.sequence) for x in c.collectives])
        self.assertEqual("0-1", c.groups[1].members)

    def test_positions_that_make_no_sense_count_as_full(self):
        ring = self.make()
        for i in range(self.CAPACITY):
            ring.step(0, 1, 1, 1, i)
        for nonsense in (self.CAPACITY + 1, 1 << 63, (1 << 64) - 1):
            self.agent.taken(nonsense)
            self.assertFalse(ring.step(0, 1, 1, 1, 1))
        self.agent.taken(self.CAPACITY)
        self.assertTrue(ring.step(0, 1, 1, 1, 1))

    def test_a_reader_that_attaches_is_told_names_groups_and_identity_again(self):
        ring = self.make()
        name = ring.name("forward")
        ring.identity(L.ID_HOST, 0, "host-7")
        ring.define_group(1, 2, ring.name("g"), 0, ring.name("0-3"), 4)
        ring.span(1, 2, 0, name, 1, 2, 3)
        ring.span(1, 2, 0, name, 1, 2, 3)
        self.assertEqual(1, read(self.path).definitions.count("forward"))

        self.agent.control(attach=1)
        self.agent.taken(ring._position)
        ring.beat()
        ring.span(1, 2, 0, name, 4, 5, 6)
        ring.collective(1, 4, 1, 5, 6, 7, 0, -1, 1, 8, 9, 2, name)
        c = read(self.path)
        self.assertEqual([("host-7", 0)], c.identity[L.ID_HOST])
        self.assertEqual("0-3", c.groups[1].members)
        self.assertEqual("forward", c.spans[0].name)
        self.assertEqual(1 << 48 | 0xFFFF, c.header["obeyed"])
        self.assertEqual(1, len(c.clocks))

    def test_the_table_of_names_is_bounded_and_texts_are_cut_at_a_character(self):
        ring = self.make()
        ids = [ring.name("n%d" % i) for i in range(5000)]
        self.assertEqual(4096, max(ids))
        self.assertEqual(0, ids[-1])
        self.assertEqual(5000 - 4096, read(self.path).dropped[4])
        self.assertEqual(L.text_bytes("é" * 3000), L.text_bytes("é" * 3000))
        self.assertLessEqual(len(L.text_bytes("é" * 3000)), 4096)
        L.text_bytes("a" + "漢" * 3000).decode()

    def test_durations_that_are_too_long_are_cut_and_flagged(self):
        ring = self.make()
        ring.span(1, 0, 0, ring.name("n"), 1, 1 << 41, 3)
        s = read(self.path).spans[0]
        self.assertEqual((2, (1 << 40) - 1, 3), (s.flags, s.duration, s.thread))

    def test_what_comes_in_between_on_the_same_thread_writes_nothing_and_waits_for_nothing(self):
        ring = self.make()
        self.assertTrue(ring._enter())
        self.assertFalse(ring.step(0, 1, 1, 1, 1))
        ring._leave()
        self.assertTrue(ring.step(0, 1, 1, 1, 1))

    def test_a_lock_that_never_comes_back_blocks_nobody_for_long(self):
        ring = self.make()
        thread = threading.Thread(target=ring._lock.acquire)
        thread.start()
        thread.join()
        self.assertFalse(any(ring.step(0, 1, 1, 1, 1) for _ in range(5)))
        self.assertFalse(ring.live)

    def test_what_may_wait_is_written_in_order_before_what_may_not(self):
        ring = self.make()
        part, forward = ring.name("mlp"), ring.name("forward")
        ring.define_group(7, 2, ring.name("g"), 0, ring.name("0-1"), 2)
        before = read(self.path).records
        ring.later((1, 2, 0, part, 10, 5, 3, 0, 0))
        ring.later((1, 4, 7, 20, 6, 3, 0, -1, 1, 64, 0, 2, forward))
        ring.later((0, 9, 30, 3, 77))
        self.assertEqual(before, read(self.path).records)
        ring.span(1, 2, 1, forward, 40, 0, 3)
        c = read(self.path)
        self.assertEqual([("mlp", 10, 5), ("forward", 40, 0)], [(s.name, s.start, s.duration) for s in c.spans])
        self.assertEqual([(20, 6, 64)], [(x.start, x.duration, x.size) for x in c.collectives])
        self.assertEqual([(77, 9, 30)], [(s.number, s.start, s.duration) for s in c.steps])

        for write in (ring.beat, ring.flush, ring.close):
            ring.later((0, 9, 30, 3, 78))
            write()
            steps = read(self.path).steps
            self.assertEqual(78, steps[-1].number)
            ring.step(0, 9, 30, 3, 79)
        ring.later((0, 9, 30, 3, 80))
        self.assertEqual([], list(ring._aside), "nothing is kept for a ring that is closed")

    def test_what_waits_is_bounded(self):
        ring = self.make()
        for i in range(1, 2500):
            ring.later((0, i, 1, 1, i))
            self.assertLess(len(ring._aside), 1024)
        self.assertEqual(1024, read(self.path).records)

    def test_what_waited_and_found_no_room_is_missing_from_when_it_was(self):
        ring = self.make()
        for i in range(self.CAPACITY):
            ring.later((0, 100, 50, 1, i))
        ring.flush()
        ring.later((0, 200, 50, 1, 5000))
        ring.flush()
        self.assertEqual(1, read(self.path).dropped[0])
        self.agent.taken(10)
        self.assertTrue(ring.step(0, 1, 1, 1, 2))
        (reason, start, end, count), = read(self.path).losses
        self.assertEqual((0, 250, 1), (reason, start, count))
        self.assertGreater(end, start)

    def test_so_is_what_waited_and_whose_name_found_no_room(self):
        ring = self.make()
        name = ring.name("never told")
        for i in range(self.CAPACITY):
            ring.step(0, 100, 50, 1, i)
        ring.later((1, 2, 0, name, 200, 50, 3, 0, 0))
        ring.flush()
        self.agent.taken(10)
        self.assertTrue(ring.step(0, 1, 1, 1, 2))
        self.assertEqual([(0, 250, 1)], [(reason, start, count) for reason, start, _, count in read(self.path).losses])

    def test_what_waited_and_cannot_be_written_is_counted_and_takes_nothing_with_it(self):
        ring = self.make()
        ring.later((0, -1, 1, 1, 70))
        ring.later((0, 9, 30, 3, 71))
        self.assertTrue(ring.step(0, 50, 30, 3, 72))
        c = read(self.path)
        self.assertEqual([71, 72], [s.number for s in c.steps])
        self.assertEqual(1, c.dropped[L.LOST_IMPOSSIBLE])

    def test_beats_and_closes(self):
        ring = self.make()
        before = time.monotonic_ns()
        self.assertEqual(0xFFFF, ring.beat())
        self.assertFalse(ring.agent_seen())
        self.agent.beat()
        self.assertTrue(ring.agent_seen())
        ring.close()
        self.assertFalse(ring.step(0, 1, 1, 1, 1))
        h = read(self.path).header
        self.assertGreaterEqual(h["beat"], before)
        self.assertEqual((3, 0), (h["state"], h["why"]))

    def test_a_forked_child_writes_nothing(self):
        import argus
        from argus._recorder import recorder

        os.environ.update(ARGUS_RING_DIR=self.rings, ARGUS_RING_KEEP="1")
        self.assertTrue(argus.start())
        path = recorder.path
        before = read(path)
        child = os.fork()
        if child == 0:
            argus.step(5)
            with argus.phase("forward"):
                pass
            os._exit(1 if argus.active() else 0)
        self.assertEqual(0, os.waitpid(child, 0)[1])
        self.assertEqual(before.records, read(path).records)
        argus.step(5)
        self.assertEqual(before.records + 1, read(path).records)
        argus.stop()
        self.assertEqual((2, 1), (read(path).header["state"], read(path).header["why"]))


class FileTest(RingCase):
    def test_the_file_has_its_size_its_mode_and_a_whole_header(self):
        self.make()
        s = os.stat(self.path)
        self.assertEqual(4096 + 32 * 1024, s.st_size)
        self.assertEqual(0o600, stat.S_IMODE(s.st_mode))
        self.assertGreaterEqual(s.st_blocks * 512, s.st_size, "space is reserved")
        self.assertEqual(["1-3.python.ring"], os.listdir(self.rings))
        h = read(self.path).header
        self.assertEqual((2, 1024, 1, 0xFFFF, -1), (h["producer"], h["capacity"], h["state"], h["obeyed"], h["rank"]))

    def test_a_directory_that_is_a_link_or_open_or_a_file_is_refused(self):
        open_dir = os.path.join(self.folder, "open")
        os.mkdir(open_dir)
        os.chmod(open_dir, 0o750)
        link = os.path.join(self.folder, "link")
        os.mkdir(os.path.join(self.folder, "own"), 0o700)
        os.symlink(os.path.join(self.folder, "own"), link)
        plain = os.path.join(self.folder, "file")
        with open(plain, "w"):
            pass
        for path in (open_dir, link, plain, "/proc/nowhere/x"):
            with self.assertRaises(RingUnavailable, msg=path):
                open_directory(path)

    @unittest.skipUnless(os.geteuid() == 0, "only root can make another's directory")
    def test_a_directory_of_another_user_is_refused(self):
        path = os.path.join(self.folder, "other")
        os.mkdir(path, 0o700)
        os.chown(path, 12345, 12345)
        with self.assertRaisesRegex(RingUnavailable, "12345"):
            open_directory(path)

    def test_without_room_there_is_no_ring_and_nothing_is_left_behind(self):
        original = os.posix_fallocate
        self.addCleanup(setattr, os, "posix_fallocate", original)

        def full(fd, offset, length):
            raise OSError(28, "No space left on device")

        os.posix_fallocate = full
        with self.assertRaisesRegex(RingUnavailable, "No space left"):
            self.make()
        self.assertEqual([], os.listdir(self.rings))

    def test_impossible_capacities_are_refused(self):
        for capacity in (0, 512, 1025, 1 << 27):
            with self.assertRaises(RingUnavailable):
                create(self.rings, "x", Head(2, capacity, 1, 1, 2, 3))

    def test_training_goes_on_without_a_ring(self):
        code = ("import argus; assert argus.start() is False; argus.step()\n"
                "with argus.phase('x'): pass\nassert not argus.active()")
        done = self.run_python("-c", code, ARGUS_RING_DIR="/proc/nowhere/x")
        self.assertEqual(1, done.stderr.count("argus: stays off:"), done.stderr)

    def test_a_ring_that_no_agent_looked_at_is_taken_away_at_the_end(self):
        self.run_python("-c", "import argus; assert argus.start()", ARGUS_RING_KEEP="0")
        self.assertEqual([], os.listdir(self.rings))
