package dev.argus.server.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.argus.model.SafeText;
import dev.argus.server.access.Asked;
import dev.argus.server.access.Gate;
import dev.argus.server.access.Need;
import dev.argus.server.access.Refusal;
import dev.argus.server.config.ServerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Listens, and answers every request: by a route, or by a problem that says what was found and what was expected. A request has a virtual thread; what a client may
 * take of time, memory and connections is bounded ({@link HttpLimits}, {@link WriteWatch}, {@link Gate}); whatever goes wrong with one concerns that one.
 */
public final class HttpFront implements AutoCloseable {
    /** Requests answered at a time; others are told to come again. Frames and live events do not count. */
    private static final int MOST_AT_WORK = 64;

    private static final int BACKLOG = 1024;
    private static final long LONGEST_WRITE_NANOS = 30_000_000_000L;

    private final ServerSettings settings;
    private final Gate gate;
    private final Router router;
    private final StaticFiles files;
    private final BooleanSupplier ready;
    private final Consumer<String> log;
    private final WriteWatch watch;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore work = new Semaphore(MOST_AT_WORK);
    private final LongAdder answered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private @Nullable HttpServer server;

    /**
     * A front that does not listen yet.
     *
     * @param ready whether requests can be answered: what was stored is restored
     * @param nanoTime a clock that never goes back, nanoseconds
     * @param log hears, in a sentence, what went wrong that should not
     */
    public HttpFront(
            ServerSettings settings,
            Gate gate,
            Router router,
            StaticFiles files,
            BooleanSupplier ready,
            LongSupplier nanoTime,
            Consumer<String> log) {
        this.settings = settings;
        this.gate = gate;
        this.router = router;
        this.files = files;
        this.ready = ready;
        this.log = log;
        this.watch = new WriteWatch(nanoTime, LONGEST_WRITE_NANOS);
    }

    /**
     * Begins to listen.
     *
     * @throws IOException if the address is in use or not of this host, or the certificates cannot be used; the message says what to do
     */
    public void start() throws IOException {
        HttpLimits.apply(settings.mostConnections());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(settings.host()), settings.port());
        Path certificates = settings.certificates();
        HttpServer listening;
        try {
            if (certificates == null) {
                listening = HttpServer.create(address, BACKLOG);
            } else {
                HttpsServer secure = HttpsServer.create(address, BACKLOG);
                secure.setHttpsConfigurator(PemFiles.configurator(certificates, settings.certificateKey()));
                listening = secure;
            }
        } catch (java.net.BindException taken) {
            throw new IOException(
                    "cannot listen on " + SafeText.of(settings.host()) + " port " + settings.port() + " ("
                            + SafeText.of(taken.getMessage()) + "): stop what listens there, or set host or port",
                    taken);
        }
        listening.setExecutor(threads);
        listening.createContext("/", this::handle);
        listening.start();
        server = listening;
    }

    /** Where it listens; the port is the one in use. */
    public URI address() {
        HttpServer listening = server;
        if (listening == null) {
            throw new IllegalStateException("not started");
        }
        String host = settings.host().contains(":") && !settings.host().startsWith("[")
                ? "[" + settings.host() + "]"
                : settings.host();
        String scheme = settings.certificates() == null ? "http" : "https";
        return URI.create(scheme + "://" + host + ":" + listening.getAddress().getPort() + "/");
    }

    /** What it has done. */
    public FrontStatus status() {
        return new FrontStatus(answered.sum(), refused.sum(), failed.sum());
    }

    /**
     * Answers, whatever happens. What goes wrong with the connection itself (the client is gone, takes nothing, or sends what the JDK's own streams fail at) is thrown on:
     * then the JDK closes the connection, which it does not do otherwise.
     */
    private void handle(HttpExchange exchange) throws IOException {
        AtomicBoolean atWork = new AtomicBoolean();
        try (exchange) {
            exchange.setStreams(new StrictStream(exchange.getRequestBody()), null);
            Answer answer = safely(exchange, atWork);
            if (answer.status() == 0) {
                answered.increment();
                return;
            }
            (answer.status() >= 500 ? failed : answer.status() >= 400 ? refused : answered).increment();
            Sending.send(exchange, answer, watch);
        } catch (RuntimeException | Error broken) {
            throw new IOException(broken);
        } finally {
            if (atWork.get()) {
                work.release();
            }
        }
    }

    private Answer safely(HttpExchange exchange, AtomicBoolean atWork) throws IOException {
        try {
            return answer(exchange, atWork);
        } catch (Problem problem) {
            return refuse(exchange, problem);
        } catch (BodyException body) {
            return refuse(exchange, body.problem());
        } catch (IOException | RuntimeException | Error broken) {
            if (exchange.getResponseCode() >= 0) {
                throw new IOException(broken);
            }
            log.accept("a request failed: " + SafeText.of(broken.toString(), 300));
            Problem problem = broken instanceof IOException
                    ? Problem.later("what is needed for the answer cannot be read or written")
                    : new Problem(
                            500, "a mistake of this server", "a report with the request, and what the server printed");
            return problem.answer();
        }
    }

    private Answer refuse(HttpExchange exchange, Problem problem) {
        if (problem.status() < 500 && !problem.isCharged()) {
            gate.refused(exchange.getRemoteAddress().getAddress());
        }
        return problem.answer();
    }

    /**
     * Answers.
     *
     * @param atWork set when the request counts among those at work, which it does until its answer is sent
     */
    private Answer answer(HttpExchange exchange, AtomicBoolean atWork) throws Problem, IOException {
        Asked asked = asked(exchange);
        URI uri = exchange.getRequestURI();
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        if (path.length() + query.length() > Paths.MOST_CHARACTERS) {
            judge(asked, Need.NOTHING, false);
            throw new Problem(414, "the address is too long", "at most " + Paths.MOST_CHARACTERS + " characters");
        }
        Router.Match match;
        try {
            match = router.find(asked.method(), path);
        } catch (Problem nothing) {
            return elsewhere(asked, path, nothing);
        }
        Route route = match.route();
        judge(asked, route.need(), route.itself());
        if (!route.early() && !ready.getAsBoolean()) {
            throw Problem.later("the server is restoring what it had");
        }
        Call call = new Call(exchange, asked, Router.parameters(match, query), route.types());
        if (!route.lasts()) {
            if (!work.tryAcquire()) {
                throw Problem.later("too many requests at a time");
            }
            atWork.set(true);
        }
        return route.handler().handle(call);
    }

    /** Files of pages, where no route is. */
    private Answer elsewhere(Asked asked, String rawPath, Problem nothing) throws Problem {
        boolean page = nothing.status() == 404 && asked.reads() && !rawPath.startsWith("/api/");
        judge(asked, page ? Need.READ : Need.NOTHING, false);
        if (!page) {
            throw nothing;
        }
        return files.find(Paths.decode(rawPath, false)).orElseThrow(() -> nothing);
    }

    /** Lets through or throws; whoever takes frames says itself, in a form that agents read, that it does not know a token. */
    private void judge(Asked asked, Need need, boolean saysItself) throws Problem {
        Refusal refusal = gate.judge(asked, need);
        if (refusal != null && !(saysItself && refusal.status() == 401)) {
            throw Problem.of(refusal);
        }
    }

    private Asked asked(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        List<String> hosts = headers.getOrDefault("Host", List.of());
        return new Asked(
                exchange.getRequestMethod(),
                exchange.getRemoteAddress().getAddress(),
                hosts.size() == 1 ? hosts.getFirst() : null,
                headers.getFirst("Origin"),
                headers.getFirst("Sec-Fetch-Site"),
                headers.getFirst("Sec-Fetch-Mode"),
                headers.getFirst("Authorization"),
                settings.certificates() != null);
    }

    /** Ends at once. */
    @Override
    public void close() {
        HttpServer listening = server;
        if (listening != null) {
            listening.stop(0);
        }
        threads.shutdownNow();
        watch.close();
    }
}
