package dev.argus.server.page;

import dev.argus.hostlocal.report.PageLook;
import dev.argus.server.http.Answer;
import dev.argus.server.http.StaticFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves the files of the page; what it does not have, another has: the page for browsers without scripts.
 *
 * <p>All files are read once and lie in memory, some 100 KB. Only names of this list are looked up: a path from outside never reaches the class path.
 */
public final class LivePage implements StaticFiles {
    /** Modules, by name without {@code .js}. */
    static final List<String> MODULES = List.of(
            "api",
            "app",
            "evidence",
            "file",
            "find",
            "flame",
            "heat",
            "heatdata",
            "heatdraw",
            "heatlabels",
            "heatlegend",
            "heatstart",
            "incident",
            "job",
            "kernels",
            "overview",
            "perfetto",
            "shape",
            "stacks",
            "steps",
            "timeline",
            "waits",
            "words");

    private static final String FOLDER = "/page/";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";
    private static final Pattern DECLARED = Pattern.compile("(?m)^const ([A-Za-z]+) =");

    private final Map<String, File> files = new LinkedHashMap<>();
    private final StaticFiles others;

    private record File(String type, String text) {}

    /**
     * All files.
     *
     * @param others what is at other paths
     * @throws UncheckedIOException if a file is missing: the build is broken
     */
    public LivePage(StaticFiles others) {
        this.others = others;
        try {
            files.put("/", new File(Answer.HTML, resource("index.html")));
            for (String module : MODULES) {
                files.put(FOLDER + module + ".js", new File(SCRIPT, resource(module + ".js")));
            }
            files.put(FOLDER + "look.js", new File(SCRIPT, exported(PageLook.script())));
            files.put(FOLDER + "look.css", new File(STYLE, PageLook.style()));
            files.put(FOLDER + "argus.css", new File(STYLE, resource("argus.css")));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** What is declared in one scope, as a module. */
    private static String exported(String script) {
        List<String> names = new ArrayList<>();
        Matcher matcher = DECLARED.matcher(script);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return script + "\nexport {" + String.join(", ", names) + "};\n";
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = LivePage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing beside " + LivePage.class.getName() + "; build again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Paths of all files. */
    public List<String> paths() {
        return List.copyOf(files.keySet());
    }

    @Override
    public Optional<Answer> find(String path) {
        File file = files.get(path.equals("/index.html") ? "/" : path);
        return file == null ? others.find(path) : Optional.of(Answer.text(200, file.type(), file.text()));
    }
}
