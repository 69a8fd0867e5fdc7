package dev.argus.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Token files, tokens of agents, names of the host, rates. */
@NullUnmarked // what is null there fails where it is used
class AccessTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    private final AtomicLong clock = new AtomicLong();

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aTokenIsMadeOnceForItsUserAlone() throws Exception {
        Path file = folder.resolve("new/deeper/operator.token");
        TokenFile first = TokenFile.open(file);
        assertThat(first.fresh()).isTrue();
        assertThat(first.token()).matches("[A-Za-z0-9_-]{43}");
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(mode(file.getParent())).isEqualTo("rwx------");
        TokenFile second = TokenFile.open(file);
        assertThat(second.fresh()).isFalse();
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(first.toString()).doesNotContain(first.token());
        assertThat(TokenFile.open(folder.resolve("other")).token()).isNotEqualTo(first.token());
    }

    @Test
    void tokenFilesThatOthersMayReadAreRefused() throws Exception {
        Path file = TokenFile.open(folder.resolve("t")).file();
        for (String mode : List.of("rw-r-----", "rw----r--", "rw--w----", "rw-----w-")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> TokenFile.open(file)).hasMessageContaining("chmod 600");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThatThrownBy(() -> TokenFile.open(link)).hasMessageContaining("plain file");
        assertThatThrownBy(() -> TokenFile.open(folder)).hasMessageContaining("plain file");
    }

    @Test
    void whatIsNoTokenIsRefused() throws Exception {
        for (String text :
                List.of("", "short", "a b".repeat(20), "x".repeat(300), "x".repeat(40) + "\n" + "y".repeat(40))) {
            Path file = folder.resolve("bad");
            Files.deleteIfExists(file);
            TokenFile.write(file, text);
            assertThatThrownBy(() -> TokenFile.open(file)).hasMessageContaining("found no token");
        }
    }

    @Test
    void anAgentShipsForItsJobsAlone() throws Exception {
        AgentTokens tokens = new AgentTokens(folder.resolve(AgentTokens.FILE), clock::get);
        assertThat(tokens.isKnown("")).isFalse();
        assertThat(tokens.isKnown("x")).isFalse();
        String hostile = "job *\n#%\u202e<script> x";
        String one = tokens.issue(hostile);
        String other = tokens.issue("other");
        assertThat(tokens.isKnown(one)).isTrue();
        assertThat(tokens.mayShip(one, hostile)).isTrue();
        assertThat(tokens.mayShip(one, "job y\n#%\u202e<script> x")).isFalse();
        assertThat(tokens.mayShip(one, "other")).isFalse();
        assertThat(tokens.mayShip(other, "other")).isTrue();
        assertThat(tokens.mayShip("nobody's", "other")).isFalse();
        String text = Files.readString(folder.resolve(AgentTokens.FILE), UTF_8);
        assertThat(text).doesNotContain(one, other).hasLineCount(2);
        assertThat(mode(folder.resolve(AgentTokens.FILE))).isEqualTo("rw-------");
    }

    @Test
    void tokensAreTakenBackByDeletingLines() throws Exception {
        Path file = folder.resolve(AgentTokens.FILE);
        AgentTokens tokens = new AgentTokens(file, clock::get);
        String token = tokens.issue("job");
        assertThat(tokens.isKnown(token)).isTrue();
        Files.writeString(file, "# none\n", UTF_8);
        assertThat(tokens.isKnown(token))
                .as("looked at again at most once a second")
                .isTrue();
        clock.addAndGet(SECOND);
        assertThat(tokens.isKnown(token)).isFalse();
        Files.writeString(file, "train-* " + Secrets.hash(token) + "\n*x " + Secrets.hash(token), UTF_8);
        clock.addAndGet(SECOND);
        assertThat(tokens.mayShip(token, "train-7")).isTrue();
        assertThat(tokens.mayShip(token, "abx")).isTrue();
        assertThat(tokens.mayShip(token, "eval-7")).isFalse();
    }

    @Test
    void aDamagedFileLetsNobodyInAndSaysWhy() throws Exception {
        Path file = folder.resolve(AgentTokens.FILE);
        AgentTokens tokens = new AgentTokens(file, clock::get);
        String token = tokens.issue("job");
        for (String text :
                List.of("job", "job x", "job " + "f".repeat(63), "%zz " + "f".repeat(64), "\u0000\u0001", "a b c")) {
            clock.addAndGet(SECOND);
            Files.writeString(file, text, UTF_8);
            assertThat(tokens.isKnown(token)).as(text).isFalse();
            assertThat(tokens.problem()).as(text).contains("no agent is let in").doesNotContain("\u0000");
        }
        clock.addAndGet(SECOND);
        Files.delete(file);
        assertThat(tokens.isKnown(token)).isFalse();
        assertThat(tokens.problem()).isEmpty();
    }

    @Test
    void patternsMatchInLinearTimeAndExactly() {
        assertThat(JobPattern.parse("*").matches("")).isTrue();
        assertThat(JobPattern.parse("a*b*c").matches("a--b--c")).isTrue();
        assertThat(JobPattern.parse("a*b*c").matches("abc")).isTrue();
        assertThat(JobPattern.parse("ab*ba").matches("aba"))
                .as("no character counts twice")
                .isFalse();
        assertThat(JobPattern.parse("a").matches("ab")).isFalse();
        assertThat(JobPattern.parse("a+b").matches("a+b")).isTrue();
        assertThat(JobPattern.parse("*a".repeat(100) + "*b").matches("a".repeat(100_000)))
                .isFalse();
    }

    @Test
    void strangersNamesAreNotAllowed() {
        HostNames names = new HostNames("n17", List.of("Argus.example"));
        for (String good : List.of(
                "localhost",
                "LOCALHOST:80",
                "localhost.",
                "n17:8642",
                "argus.EXAMPLE",
                "10.1.2.3:8642",
                "[::1]:80",
                "127.0.0.1")) {
            assertThat(names.allows(good)).as(good).isTrue();
        }
        for (String bad : List.of(
                "",
                "evil.example",
                "localhost.evil.example",
                "argus.example.evil",
                "n17@evil",
                "evil/n17",
                "n17 ",
                " n17",
                "n17:99999999",
                "n17:",
                "[::1",
                "1.2.3.4.evil",
                "a".repeat(10_000))) {
            assertThat(names.allows(bad)).as(bad).isFalse();
        }
        assertThat(names.allows(null)).isFalse();
    }

    @Test
    void anAddressMayAskSoOftenAndNoMore() throws Exception {
        RateLimits limits = new RateLimits(10, clock::get);
        InetAddress one = InetAddress.getByName("10.0.0.1");
        int let = 0;
        while (limits.take(one)) {
            let++;
        }
        assertThat(let).isEqualTo(20);
        assertThat(limits.take(InetAddress.getByName("10.0.0.2")))
                .as("others are not concerned")
                .isTrue();
        clock.addAndGet(SECOND / 10);
        assertThat(limits.take(one)).isTrue();
        assertThat(limits.take(one)).isFalse();
        clock.addAndGet(3600 * SECOND);
        limits.charge(one, 19);
        assertThat(limits.take(one)).isTrue();
        assertThat(limits.take(one)).isFalse();
    }

    @Test
    void anIpv6CustomerIsOneAddressAndMemoryIsBounded() throws Exception {
        RateLimits limits = new RateLimits(1, clock::get);
        assertThat(limits.take(InetAddress.getByName("2001:db8::1"))).isTrue();
        assertThat(limits.take(InetAddress.getByName("2001:db8::2"))).isTrue();
        assertThat(limits.take(InetAddress.getByName("2001:db8::3"))).isFalse();
        assertThat(limits.take(InetAddress.getByName("2001:db8:0:1::3"))).isTrue();
        for (int i = 0; i < 3 * RateLimits.MOST_ADDRESSES; i++) {
            limits.take(InetAddress.getByAddress(new byte[] {11, (byte) (i >> 16), (byte) (i >> 8), (byte) i}));
        }
        assertThat(limits.size()).isEqualTo(RateLimits.MOST_ADDRESSES);
    }
}
