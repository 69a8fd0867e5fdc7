package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import dev.argus.model.StackRecord;
import dev.argus.stacks.PySpySource;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What py-spy prints, by a script that stands for it, through the reader of its files: two rooms that only meet above both. */
final class PySpyDumpTest {
    private static final String SCRIPT = """
            #!/bin/sh
            cat <<EOF
            [{"pid": $5, "thread_id": 140, "thread_name": "MainThread", "os_thread_id": $5, "active": true, "owns_gil": true,
              "frames": [{"name": "wait", "filename": "/usr/lib/python3.11/threading.py", "module": null, "short_filename": "threading.py",
                          "line": 306, "locals": null, "is_entry": true}],
              "process_info": null}]
            EOF
            """;

    @Test
    void aDumpBecomesARecord(@TempDir Path folder) throws Exception {
        Path program = folder.resolve("py-spy");
        Files.writeString(program, SCRIPT);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        NameTable names = new NameTable();

        ReadOutcome outcome = new PySpySource(program).dump(42, file -> read(file, names));

        assertThat(outcome.format()).isEqualTo("py-spy-json");
        StackRecord record = (StackRecord) outcome.records().getFirst();
        assertThat(record.rank()).isEqualTo(3);
        assertThat(names.name(record.stacks().getFirst().frames()[0])).isEqualTo("wait (threading.py:306)");
        assertThat(names.name(record.stacks().getFirst().thread())).isEqualTo("MainThread");
    }

    private static ReadOutcome read(Path file, NameTable names) {
        try {
            return TraceReader.read(
                    new TraceFile(file, "rank3.json", Files.size(file)),
                    names,
                    part -> {
                        throw new AssertionError("a dump has no events");
                    },
                    bytes -> {});
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
