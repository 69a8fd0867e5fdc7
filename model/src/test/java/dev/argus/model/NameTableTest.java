package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class NameTableTest {
    @Test
    void idsAreDenseAndNamesExact() {
        NameTable names = new NameTable();
        List<String> hostile = List.of("gemm", "", "<b>\u0000\ud800", "GEMM", " gemm");
        for (int i = 0; i < hostile.size(); i++) {
            assertThat(names.id(hostile.get(i))).isEqualTo(i);
        }
        assertThat(names.id("gemm")).isZero();
        assertThat(names.size()).isEqualTo(5);
        for (int i = 0; i < hostile.size(); i++) {
            assertThat(names.name(i)).isEqualTo(hostile.get(i));
        }
        assertThatThrownBy(() -> names.name(5)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void threadsAgreeOnEveryName() throws Exception {
        NameTable names = new NameTable();
        Callable<List<Integer>> reader = () -> {
            List<Integer> ids = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                ids.add(names.id("kernel " + i));
            }
            return ids;
        };
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            List<Future<List<Integer>>> seen = pool.invokeAll(List.of(reader, reader));
            assertThat(seen.get(0).get()).isEqualTo(seen.get(1).get());
        }
        assertThat(names.size()).isEqualTo(2_000);
        assertThat(names.name(names.id("kernel 77"))).isEqualTo("kernel 77");
    }
}
