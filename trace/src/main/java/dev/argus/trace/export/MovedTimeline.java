package dev.argus.trace.export;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A timeline on which everything lies later, or earlier, by the same time. */
final class MovedTimeline implements Timeline {
    private final Timeline to;
    private final long by;

    /** @param by nanoseconds added to all times */
    MovedTimeline(Timeline to, long by) {
        this.to = to;
        this.by = by;
    }

    @Override
    public void about(String key, String value) throws IOException {
        to.about(key, value);
    }

    @Override
    public int process(String name, int order, List<String> labels) throws IOException {
        return to.process(name, order, labels);
    }

    @Override
    public void announce(int[] uses, List<TrackPlace> places) throws IOException {
        to.announce(uses, places);
    }

    @Override
    public long slices(TrackPlace place, Slices slices) throws IOException {
        return to.slices(place, slices.moved(by));
    }

    @Override
    public int track(TrackPlace place) throws IOException {
        return to.track(place);
    }

    @Override
    public void instant(int track, long nanos, String name, Map<String, String> more, List<String> frames)
            throws IOException {
        to.instant(track, nanos + by, name, more, frames);
    }

    @Override
    public void counter(int track, long nanos, double value) throws IOException {
        to.counter(track, nanos + by, value);
    }

    @Override
    public void close() throws IOException {
        to.close();
    }
}
