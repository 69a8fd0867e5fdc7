package dev.argus.server.http;

import dev.argus.server.access.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that can be asked, all that is known of it: its documentation is made from this.
 *
 * @param method method
 * @param template path, with {@code {name}} for one part of it and {@code {name...}} for the rest
 * @param need what a request needs
 * @param summary what it is, one sentence
 * @param path parameters in the path, in order
 * @param query parameters in the query
 * @param body media type and schema of the body that is expected; empty for none
 * @param replies answers that it may give besides refusals
 * @param early true if it is answered before the server is ready, too
 * @param lasts true if an answer goes on for long: it does not count among those at work
 * @param itself true if it says itself, in a form of its own, that it does not know a token
 * @param handler who answers
 */
public record Route(
        String method,
        String template,
        Need need,
        String summary,
        List<Param> path,
        List<Param> query,
        Optional<Reply> body,
        List<Reply> replies,
        boolean early,
        boolean lasts,
        boolean itself,
        RouteHandler handler) {
    private static final Pattern NAMES = Pattern.compile("\\{([a-z]+)(\\.\\.\\.)?}");

    /** Copies the lists; checks that the parameters in the path are declared. */
    public Route {
        path = List.copyOf(path);
        query = List.copyOf(query);
        replies = List.copyOf(replies);
        List<String> names = new ArrayList<>();
        for (Matcher matcher = NAMES.matcher(template); matcher.find(); ) {
            names.add(matcher.group(1));
        }
        if (!names.equals(path.stream().map(Param::name).toList())) {
            throw new IllegalArgumentException(template + ": parameters " + path + ", expected " + names);
        }
    }

    /** Begins the declaration of something that is read. */
    public static Builder get(String template) {
        return new Builder("GET", template, Need.READ);
    }

    /** Begins the declaration of something that needs the operator. */
    public static Builder post(String template) {
        return new Builder("POST", template, Need.OPERATE);
    }

    /** Begins the declaration of something that agents send. */
    public static Builder sent(String method, String template) {
        return new Builder(method, template, Need.SHIP);
    }

    /** Media types of the answers with status 200. */
    List<String> types() {
        return replies.stream().filter(r -> r.status() == 200).map(Reply::type).toList();
    }

    /** Declares a route. */
    public static final class Builder {
        private final String method;
        private final String template;
        private Need need;
        private String summary = "";
        private final List<Param> path = new ArrayList<>();
        private final List<Param> query = new ArrayList<>();
        private Optional<Reply> body = Optional.empty();
        private final List<Reply> replies = new ArrayList<>();
        private boolean early;
        private boolean lasts;
        private boolean itself;

        private Builder(String method, String template, Need need) {
            this.method = method;
            this.template = template;
            this.need = need;
        }

        /** What it is, one sentence. */
        public Builder summary(String text) {
            summary = text;
            return this;
        }

        /** Needs nothing, and is answered before the server is ready. */
        public Builder open() {
            need = Need.NOTHING;
            return early();
        }

        /** Is answered before the server is ready. */
        public Builder early() {
            early = true;
            return this;
        }

        /** Goes on for long. */
        public Builder lasts() {
            lasts = true;
            return this;
        }

        /** Says itself that it does not know a token. */
        public Builder itself() {
            itself = true;
            return this;
        }

        /** A parameter in the path. */
        public Builder path(Param param) {
            path.add(param);
            return this;
        }

        /** A parameter in the query. */
        public Builder query(Param param) {
            query.add(param);
            return this;
        }

        /** The body that is expected. */
        public Builder body(Reply expected) {
            body = Optional.of(expected);
            return this;
        }

        /** An answer that it may give. */
        public Builder reply(Reply reply) {
            replies.add(reply);
            return this;
        }

        /** An answer that it may give: a JSON document of a schema. */
        public Builder json(String schema, String text) {
            return reply(Reply.json(200, schema, text));
        }

        /** Who answers. */
        public Route to(RouteHandler handler) {
            return new Route(
                    method, template, need, summary, path, query, body, replies, early, lasts, itself, handler);
        }
    }
}
