package dev.argus.server.api;

import dev.argus.model.HtmlText;
import dev.argus.model.Incident;
import dev.argus.model.SafeText;
import dev.argus.server.http.Answer;
import dev.argus.server.http.StaticFiles;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.JobView;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page for browsers without scripts: the jobs of a server and what is wrong with them, as text. Reads itself anew every five seconds. */
public final class FrontPage implements StaticFiles {
    private static final int MOST_JOBS = 200;
    private static final int MOST_INCIDENTS = 50;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double SECONDS_PER_HOUR = 3600;

    private static final String CSS = """
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em; color: #1c1e21; background: #fff; }
            h1 { font-size: 1.3em; } h2 { font-size: 1.1em; margin-bottom: 0; overflow-wrap: anywhere; }
            .facts { color: #55595f; margin: 0; } .incident { border-left: 4px solid #b26a00; padding-left: .8em; margin: .8em 0; overflow-wrap: anywhere; }
            .critical { border-color: #b3001b; } .advice { color: #55595f; }
            @media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #16181b; } .facts, .advice { color: #a8adb3; } }
            """;

    private final Fleet fleet;

    /** Over jobs. */
    public FrontPage(Fleet fleet) {
        this.fleet = fleet;
    }

    @Override
    public Optional<Answer> find(String path) {
        return switch (path) {
            case "/plain" -> Optional.of(Answer.text(200, Answer.HTML, page(fleet.jobs())));
            case "/argus.css" -> Optional.of(Answer.text(200, "text/css; charset=utf-8", CSS));
            default -> Optional.empty();
        };
    }

    private static String page(List<JobView> jobs) {
        StringBuilder out = new StringBuilder();
        out.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Argus</title>");
        out.append(
                "<meta name=\"viewport\" content=\"width=device-width\"><meta http-equiv=\"refresh\" content=\"5\">");
        out.append("<link rel=\"stylesheet\" href=\"/argus.css\"></head><body><h1>Argus: what makes jobs slow</h1>\n");
        if (jobs.isEmpty()) {
            out.append(
                    "<p>No job is watched yet. On each host of a job: <code>argus agent --to ADDRESS --token-file FILE</code></p>\n");
        }
        jobs.stream().limit(MOST_JOBS).forEach(job -> job(out, job));
        if (jobs.size() > MOST_JOBS) {
            out.append("<p>").append(jobs.size() - MOST_JOBS).append(" more jobs are not shown here.</p>\n");
        }
        out.append(
                "<p class=\"facts\">As data: <a href=\"/api/v1/jobs\">jobs</a>, <a href=\"/api/v1/incidents\">incidents</a>, ");
        out.append(
                "<a href=\"/api/v1/openapi.json\">all of the API</a>, <a href=\"/metrics\">metrics</a>.</p></body></html>\n");
        return out.toString();
    }

    private static void job(StringBuilder out, JobView job) {
        out.append("<section><h2>").append(text(SafeText.of(job.job()))).append("</h2><p class=\"facts\">");
        out.append(job.reporting().size()).append(" of ").append(job.expected()).append(" ranks report");
        if (!job.silent().isEmpty()) {
            out.append(", ")
                    .append(job.silent().size())
                    .append(" are silent (")
                    .append(text(SafeText.of(job.silent().toString())))
                    .append(')');
        }
        if (!job.gone().ranks().isEmpty()) {
            out.append(", ").append(job.gone().ranks().size()).append(" have ended");
        }
        if (job.newestStep() >= 0) {
            out.append("; step ").append(job.newestStep());
        }
        if (job.usualNanos() > 0) {
            out.append(String.format(Locale.ROOT, ", usually %.1f ms", job.usualNanos() / NANOS_PER_MILLI));
        }
        out.append(String.format(Locale.ROOT, "; %.2f GPU-hours lost so far", job.lostGpuSeconds() / SECONDS_PER_HOUR));
        if (job.ended()) {
            out.append("; <strong>it has ended</strong>: ")
                    .append(text(SafeText.sentence(job.gone().how())));
        }
        out.append(job.standing() ? "; <strong>it stands still</strong></p>\n" : "</p>\n");
        List<Incident> open = job.incidents().stream().filter(JobJson::lasts).toList();
        if (open.isEmpty()) {
            out.append("<p>No incident is open")
                    .append(job.newestStep() < 0 ? "; no step has ended yet" : "")
                    .append(".</p>\n");
        }
        open.stream().limit(MOST_INCIDENTS).forEach(incident -> incident(out, incident));
        if (open.size() > MOST_INCIDENTS) {
            out.append("<p>").append(open.size() - MOST_INCIDENTS).append(" more incidents are not shown here.</p>\n");
        }
        out.append("</section>\n");
    }

    private static void incident(StringBuilder out, Incident incident) {
        out.append("<div class=\"incident ").append(incident.severity().text()).append("\"><strong>");
        out.append(incident.kind().text()).append("</strong>: ").append(text(SafeText.sentence(incident.summary())));
        out.append("<br><span class=\"advice\">")
                .append(text(SafeText.sentence(incident.advice())))
                .append("</span></div>\n");
    }

    private static String text(String safe) {
        return HtmlText.of(safe);
    }
}
