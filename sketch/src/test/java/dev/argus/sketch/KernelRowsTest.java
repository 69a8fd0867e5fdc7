package dev.argus.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class KernelRowsTest {
    private static int place(long key, KernelRows rows) {
        return KernelRows.home(key) & (rows.words().length - 1);
    }

    @Test
    void keysOfOnePlaceHaveRowsOfTheirOwnAndKeepThemWhenTheTableGrows() {
        KernelRows rows = new KernelRows(1000);
        List<Long> meeting = LongStream.range(0, 100_000)
                .filter(name -> place(name, rows) == place(0, rows))
                .limit(8)
                .boxed()
                .toList();
        for (long key : meeting) {
            rows.words()[rows.find(key) + KernelRows.SUM] = 1000 + key;
        }
        int before = rows.words().length;
        for (long name = 200_000; name < 200_100; name++) {
            rows.find(name);
        }
        assertThat(rows.words()).hasSizeGreaterThan(before);
        for (int k = 0; k < meeting.size(); k++) {
            int row = rows.find(meeting.get(k));
            assertThat(row).isEqualTo(rows.row(k));
            assertThat(rows.words()[row + KernelRows.SUM]).isEqualTo(1000 + meeting.get(k));
            assertThat(rows.open(row)).isSameAs(rows.keys().get(k));
        }
    }

    @Test
    void denseNamesLieAtTheirOwnPlace() {
        KernelRows rows = new KernelRows(1000);
        for (int name = 0; name < 1000; name++) {
            rows.find(name | 7L << 32);
        }
        assertThat(LongStream.range(0, 1000).filter(name -> {
                    long key = name | 7L << 32;
                    return rows.find(key) != place(key, rows);
                }))
                .hasSizeLessThan(60);
    }

    @Test
    void roomEndsAndNegativeNamesHaveNone() {
        KernelRows rows = new KernelRows(2);
        assertThat(rows.find(-1)).isNegative();
        assertThat(rows.find(5)).isNotNegative();
        assertThat(rows.find(6)).isNotNegative();
        assertThat(rows.find(7)).isNegative();
        assertThat(rows.find(5)).isEqualTo(rows.row(0));
        rows.forget();
        assertThat(rows.find(7)).isEqualTo(rows.row(0));
    }
}
