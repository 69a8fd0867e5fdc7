package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.storage.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet without a store. */
class ParquetFilesTest {
    @TempDir
    Path folder;

    private static long number(String sql) throws Exception {
        try (Connection on = DriverManager.getConnection("jdbc:duckdb:")) {
            return Sql.number(on, sql);
        }
    }

    @Test
    void eachFileHasItsRowsAndNoOthers() throws Exception {
        Path place = folder.toRealPath();
        Path steps = place.resolve("it's.parquet");
        Path phases = place.resolve("phases.parquet");
        try (ParquetFiles to = ParquetFiles.into(place)) {
            to.steps(List.of(new Rows.Step("j'ob", 1, 7, 5, 10, 20, 3, 8)), steps);
            to.steps(
                    List.of(new Rows.Step("j'ob", 1, 8, 5, 11, 20, 3, 8), new Rows.Step("b", 0, 9, 5, 12, 20, 3, 8)),
                    steps);
            to.phases(List.of(new Rows.Phase("j'ob", 1, 7, "forward", 10, 20, 3, 8)), phases);
            assertThat(number("SELECT sum(step) FROM read_parquet('"
                            + steps.toString().replace("'", "''") + "')"))
                    .isEqualTo(17);
            assertThat(number("SELECT median_nanos FROM read_parquet('" + phases + "') WHERE phase = 'forward'"))
                    .isEqualTo(10);
            Path elsewhere = Files.createTempDirectory("elsewhere");
            assertThatThrownBy(() -> to.steps(List.of(), elsewhere.resolve("x.parquet")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write steps as Parquet");
            Files.delete(elsewhere);
            to.steps(List.of(), steps); // it goes on
            assertThat(number("SELECT count(*) FROM read_parquet('"
                            + steps.toString().replace("'", "''") + "')"))
                    .isZero();
        }
    }
}
