package dev.towtank.controllers.spray.source;

import dev.towtank.model.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/// Who gets events, and how that went.
public final class Backends {

    private static final int MOST = 100;

    private final ConcurrentSkipListMap<String, Backend> all = new ConcurrentSkipListMap<>();

    /// @param error the last one, empty where there was none; without what was sent
    record Result(long sent, long refused, long failed, String error, Optional<Instant> last) {
        static final Result NONE = new Result(0, 0, 0, "", Optional.empty());
    }

    record Backend(URI url, Result result) {}

    /// @throws IllegalArgumentException it is no address that can be sent to
    public boolean add(String url) {
        if (all.size() >= MOST) {
            throw new IllegalArgumentException("there are " + MOST + " backends, and may be no more");
        }
        return all.putIfAbsent(url, new Backend(parsed(url), Result.NONE)) == null;
    }

    private static URI parsed(String url) {
        try {
            var uri = new URI(url);
            boolean isWeb = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!isWeb || uri.getHost() == null || uri.getUserInfo() != null || uri.getQuery() != null) {
                throw new IllegalArgumentException("no address of a backend (http:// or https://): " + url);
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("no address of a backend: " + url, e);
        }
    }

    boolean remove(String url) {
        return all.remove(url) != null;
    }

    public List<String> urls() {
        return List.copyOf(all.keySet());
    }

    Optional<URI> url(String name) {
        return Optional.ofNullable(all.get(name)).map(Backend::url);
    }

    void note(String name, Outcome outcome, Instant now) {
        all.computeIfPresent(name, (_, backend) -> new Backend(backend.url(), after(backend.result(), outcome, now)));
    }

    private static Result after(Result before, Outcome outcome, Instant now) {
        return switch (outcome) {
            case Outcome.Taken _ ->
                new Result(before.sent() + 1, before.refused(), before.failed(), before.error(), Optional.of(now));
            case Outcome.Refused(var status) ->
                new Result(
                        before.sent(), before.refused() + 1, before.failed(), "answered " + status, Optional.of(now));
            case Outcome.Failed(var why) ->
                new Result(before.sent(), before.refused(), before.failed() + 1, why, Optional.of(now));
        };
    }

    /// What became of sending an event to one of them.
    sealed interface Outcome {
        record Taken() implements Outcome {}

        /// It answered with a status from 400 on.
        record Refused(int status) implements Outcome {}

        /// It could not be reached, or did not answer in time.
        record Failed(String why) implements Outcome {}

        /// Whether to send it again makes sense: who refuses an event as it is will do so again.
        default boolean isWorthAnotherTry() {
            return switch (this) {
                case Taken _ -> false;
                case Refused(var status) -> status >= 500 || status == 429 || status == 408;
                case Failed _ -> true;
            };
        }
    }

    /// @param waiting by backend, how many events wait for it
    Json.Arr json(Map<String, Integer> waiting) {
        return new Json.Arr(all.entrySet().stream()
                .<Json>map(each -> {
                    var result = each.getValue().result();
                    return Json.Obj.builder()
                            .put("url", each.getKey())
                            .put("sent", result.sent())
                            .put("refused", result.refused())
                            .put("failed", result.failed())
                            .put("waiting", (long) waiting.getOrDefault(each.getKey(), 0))
                            .putNonEmpty("lastError", result.error())
                            .putNonEmpty(
                                    "lastTried",
                                    result.last().map(Instant::toString).orElse(""))
                            .build();
                })
                .toList());
    }
}
