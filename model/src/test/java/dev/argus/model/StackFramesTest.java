package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StackFramesTest {
    @Test
    void leavesOutWhatIsUnknown() {
        assertThat(StackFrames.named("wait", "threading.py", "306")).isEqualTo("wait (threading.py:306)");
        assertThat(StackFrames.named("wait", "threading.py", "0")).isEqualTo("wait (threading.py)");
        assertThat(StackFrames.named("wait", "threading.py", "")).isEqualTo("wait (threading.py)");
        assertThat(StackFrames.named("wait", "", "306")).isEqualTo("wait");
    }

    @Test
    void shortensFilesToWhatIsTheSameOnEveryHost() {
        assertThat(StackFrames.shortFile("/opt/venv/lib/python3.12/site-packages/torch/nn/functional.py"))
                .isEqualTo("torch/nn/functional.py");
        assertThat(StackFrames.shortFile("/usr/lib/python3/dist-packages/torch/_ops.py"))
                .isEqualTo("torch/_ops.py");
        assertThat(StackFrames.shortFile("/usr/lib/python3.11/threading.py")).isEqualTo("threading.py");
        assertThat(StackFrames.shortFile("/usr/lib/python3.11")).isEqualTo("lib/python3.11");
        assertThat(StackFrames.shortFile("/srv/job/megatron/training.py")).isEqualTo("megatron/training.py");
        assertThat(StackFrames.shortFile("/train.py")).isEqualTo("train.py");
        assertThat(StackFrames.shortFile("train.py")).isEqualTo("train.py");
        assertThat(StackFrames.shortFile("job/train.py")).isEqualTo("job/train.py");
        assertThat(StackFrames.shortFile("<frozen importlib._bootstrap>")).isEqualTo("<frozen importlib._bootstrap>");
        assertThat(StackFrames.shortFile("")).isEmpty();
    }
}
