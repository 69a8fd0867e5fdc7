package dev.argus.server.access;

import dev.argus.server.config.ServerSettings;
import dev.argus.transport.FrameAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is let through, before anything of its body is read.
 *
 * <ol>
 *   <li>It must be addressed to this server by one of its names ({@link HostNames}): 421.
 *   <li>It must not be made by a page of somebody else: by {@code Origin}, or where a browser says so: 403.
 *   <li>Its address must not ask too often: 429. Frames with a token that is known do not count.
 *   <li>It must have the token that it needs ({@link Need}): 401, or 403 with one that does not suffice.
 * </ol>
 *
 * <p>Tokens: the operator's (for everything), the reader's (for reading), agents' (for their job). Browsers send a token as the password of basic
 * authentication; as browsers send that by themselves, it counts for reading only.
 *
 * <p>Thread-safe; O(1) but for the patterns of a token.
 */
public final class Gate implements FrameAccess {
    /** A refused request counts as so many more. */
    private static final int REFUSED_COSTS = 4;

    private final boolean loopback;
    private final HostNames names;
    private final RateLimits limits;
    private final TokenFile operator;
    private final TokenFile reader;
    private final AgentTokens agents;

    private Gate(
            ServerSettings settings, TokenFile operator, TokenFile reader, AgentTokens agents, LongSupplier nanoTime) {
        this.loopback = settings.loopback();
        this.names = new HostNames(settings.host(), settings.allowedHosts());
        this.limits = new RateLimits(settings.requestsPerSecond(), nanoTime);
        this.operator = operator;
        this.reader = reader;
        this.agents = agents;
    }

    /**
     * With the tokens in the data folder; makes those of operator and reader when they are not there.
     *
     * @param nanoTime a clock that never goes back, nanoseconds
     * @throws IOException if the files cannot be made or used
     */
    public static Gate open(ServerSettings settings, LongSupplier nanoTime) throws IOException {
        Path data = settings.data();
        return new Gate(
                settings,
                TokenFile.open(data.resolve(TokenFile.OPERATOR)),
                TokenFile.open(data.resolve(TokenFile.READER)),
                new AgentTokens(data.resolve(AgentTokens.FILE), nanoTime),
                nanoTime);
    }

    /** The token of the operator: {@link TokenFile#fresh()} ones are shown, once. */
    public TokenFile operator() {
        return operator;
    }

    /** The tokens of agents. */
    public AgentTokens agents() {
        return agents;
    }

    /** Why a request is not let through, or null when it is. */
    public @Nullable Refusal judge(Asked asked, Need need) {
        Refusal refusal = judgeUncharged(asked, need);
        if (refusal != null && refusal.status() != 429) {
            limits.charge(asked.from(), REFUSED_COSTS);
        }
        return refusal;
    }

    /** What an address asked for was refused for another reason: that counts for more, too. */
    public void refused(InetAddress from) {
        limits.charge(from, REFUSED_COSTS);
    }

    private @Nullable Refusal judgeUncharged(Asked asked, Need need) {
        if (!names.allows(asked.host())) {
            return refusal(
                    421,
                    "this server is not known by the name in Host",
                    "localhost, an IP address, or a name that is set by allowed-hosts");
        }
        if (foreign(asked)) {
            return refusal(
                    403, "the request was made by a page of another origin", "a request of this server's own pages");
        }
        String token = token(asked);
        boolean ships = need == Need.SHIP && isKnown(token);
        if (!ships && !limits.take(asked.from())) {
            return new Refusal(
                    429,
                    "too many requests from this address",
                    "to be asked again in a second",
                    Map.of("Retry-After", "1"));
        }
        return missing(asked, need, token, ships);
    }

    private @Nullable Refusal missing(Asked asked, Need need, String token, boolean ships) {
        boolean operates = Secrets.same(token, operator.token());
        boolean reads = operates || Secrets.same(token, reader.token());
        boolean enough = switch (need) {
            case NOTHING -> true;
            case READ -> loopback ? token.isEmpty() || reads || agents.isKnown(token) : reads;
            case OPERATE -> operates;
            case SHIP -> ships;
        };
        if (enough) {
            return null;
        }
        String files = "a line \"Authorization: Bearer TOKEN\" with " + wanted(need);
        if (reads || agents.isKnown(token)) {
            return refusal(
                    403,
                    "the token is "
                            + (reads
                                    ? "the reader's, which is for reading alone"
                                    : "one of agents, which is for frames and excerpts of their job alone"),
                    files);
        }
        String how = asked.reads() ? "Basic realm=\"argus\", charset=\"UTF-8\"" : "Bearer realm=\"argus\"";
        String found = asked.authorization() == null
                ? "no token came with the request"
                : token.isEmpty()
                        ? "no token was found in the Authorization of the request"
                        : "the token is none of this server's";
        return new Refusal(401, found, files, Map.of("WWW-Authenticate", how));
    }

    /** Which token a request needs, and where that is. */
    private static String wanted(Need need) {
        return switch (need) {
            case NOTHING, READ ->
                "what is in " + TokenFile.READER + " or " + TokenFile.OPERATOR + " of the server's data folder";
            case OPERATE -> "what is in " + TokenFile.OPERATOR + " of the server's data folder";
            case SHIP ->
                "a token of agents of this job, issued by POST /api/v1/jobs/JOB/tokens, or what is in "
                        + TokenFile.OPERATOR + " of the server's data folder";
        };
    }

    @Override
    public boolean isKnown(String token) {
        return Secrets.same(token, operator.token()) || agents.isKnown(token);
    }

    @Override
    public boolean mayShip(String token, String job) {
        return Secrets.same(token, operator.token()) || agents.mayShip(token, job);
    }

    /** Whether a request may send something as an agent of a job. */
    public boolean mayShip(Asked asked, String job) {
        return mayShip(token(asked), job);
    }

    private static Refusal refusal(int status, String error, String expected) {
        return new Refusal(status, error, expected, Map.of());
    }

    private static boolean foreign(Asked asked) {
        String origin = asked.origin();
        if (origin != null) {
            String own = (asked.secure() ? "https://" : "http://") + asked.host();
            return !origin.equalsIgnoreCase(own);
        }
        String site = asked.site();
        if (site == null || site.equals("same-origin") || site.equals("none")) {
            return false;
        }
        // A link on another page may be followed to a page of this server; nothing else comes from there.
        return !asked.reads() || !"navigate".equals(asked.mode());
    }

    /** The token of a request, empty when there is none that counts for it. */
    static String token(Asked asked) {
        String text = asked.authorization();
        if (text == null || text.length() > 4 * Secrets.MOST_CHARACTERS) {
            return "";
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith("bearer ")) {
            return text.substring("bearer ".length()).strip();
        }
        if (lower.startsWith("basic ") && asked.reads()) {
            try {
                byte[] pair = Base64.getDecoder()
                        .decode(text.substring("basic ".length()).strip());
                String plain = new String(pair, StandardCharsets.UTF_8);
                return plain.substring(plain.indexOf(':') + 1);
            } catch (IllegalArgumentException noBase64) {
                return "";
            }
        }
        return "";
    }
}
