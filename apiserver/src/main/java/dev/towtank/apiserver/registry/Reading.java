package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.catalog.Converted;
import dev.towtank.apiserver.store.Feed;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Get and list, with Kubernetes' rules about which revision an answer may come from.
final class Reading {

    private static final String LIST_TOO_OLD = "The resourceVersion for the provided list is too old.";
    private static final String CONTINUE_TOO_OLD =
            "The provided continue parameter is too old to display a consistent list result. You can start a new list"
                    + " without the continue parameter, or use the continue token in this response to retrieve the"
                    + " remainder of the results. Continuing with the provided token results in an inconsistent list"
                    + " - objects that were created, modified, or deleted between the time the first chunk was"
                    + " returned and now may show up in the list.";

    private final Store store;

    Reading(Store store) {
        this.store = store;
    }

    Answer get(Call call, Served served) {
        Revisions.checkReached(Revisions.parse(call.params().text("resourceVersion")), store.revision());
        var found = find(call, served);
        return new Answer.One(200, Optional.of(served.kind()), Converted.of(found, served), advice(served));
    }

    /// That the version should no longer be used.
    static List<String> advice(Served served) {
        return served.kind().rules().deprecation(served.kind());
    }

    Stored find(Call call, Served served) {
        var found = store.get(key(call, served));
        if (found == null) {
            throw StatusError.notFound(served.kind().resource(), call.target().name());
        }
        return found;
    }

    static Key key(Call call, Served served) {
        return new Key(
                served.storage(),
                call.cluster(),
                call.target().namespace(),
                call.target().name());
    }

    static Range range(Call call, Served served) {
        if (call.cluster().equals(LogicalCluster.ALL)) {
            return Range.of(served.storage());
        }
        var namespace = call.target().namespace();
        return namespace.isEmpty()
                ? Range.of(served.storage(), call.cluster())
                : Range.of(served.storage(), call.cluster(), namespace);
    }

    Answer list(Call call, Served served) {
        Revisions.checkListOptions(call.params());
        var selectors = Selectors.of(call, served.kind());
        var token = call.params().text("continue");
        var start = token.isEmpty() ? null : ContinueToken.decode(token);
        long revision = start == null ? Revisions.listAt(call.params(), store.revision()) : startRevision(call, start);
        new Clusters(store).checkPast(call.cluster(), revision);
        var exactName = selectors.exactName();
        if (exactName.isPresent() && start == null && !call.target().namespace().isEmpty() && revision == 0) {
            return lookup(call, served, selectors, exactName.get());
        }
        int limit = Math.clamp(call.params().number("limit").orElse(0L), 0, Integer.MAX_VALUE);
        try {
            return page(call, served, selectors, revision, start, limit);
        } catch (Feed.Expired e) {
            throw start == null ? StatusError.expired(LIST_TOO_OLD) : continueExpired(start);
        } catch (Store.Future e) {
            throw Revisions.tooLarge(e.asked(), e.current());
        }
    }

    private static long startRevision(Call call, ContinueToken start) {
        var asked = call.params().text("resourceVersion");
        if (!asked.isEmpty() && !asked.equals("0")) {
            throw StatusError.badRequest("specifying resource version is not allowed when using continue");
        }
        return Math.max(0, start.revision());
    }

    private static StatusError continueExpired(ContinueToken start) {
        return StatusError.expiredContinue(
                CONTINUE_TOO_OLD, start.inconsistent().encode());
    }

    private Answer lookup(Call call, Served served, Selectors selectors, String name) {
        long revision = store.revision();
        var key = new Key(served.storage(), call.cluster(), call.target().namespace(), name);
        var found = store.get(key);
        List<Content> items = found != null && selectors.matches(view(found, served))
                ? List.of(Converted.of(found, served))
                : List.of();
        return new Answer.Many(served.kind(), revision, items, "", Optional.empty(), advice(served));
    }

    private Answer page(
            Call call, Served served, Selectors selectors, long at, @Nullable ContinueToken start, int limit) {
        var range = range(call, served);
        var after = start == null ? null : start.key(served.storage(), call.cluster());
        var page = store.list(range, at, after, limit);
        if (selectors.isEmpty()) {
            var token = page.more()
                    ? ContinueToken.after(
                                    page.revision(), page.items().getLast().key())
                            .encode()
                    : "";
            return new Answer.Many(
                    served.kind(),
                    page.revision(),
                    Converted.of(page.items(), served),
                    token,
                    page.more() ? page.remaining() : Optional.empty(),
                    advice(served));
        }
        var items = new ArrayList<Content>();
        while (true) {
            Key last = null;
            var contents = Converted.of(page.items(), served);
            for (int i = 0; i < contents.size(); i++) {
                last = page.items().get(i).key();
                if (selectors.matches(contents.get(i).tree())) {
                    items.add(contents.get(i));
                    if (limit > 0 && items.size() == limit) {
                        break;
                    }
                }
            }
            boolean full = limit > 0 && items.size() >= limit;
            boolean more = last != null
                    && (page.more() || !last.equals(page.items().getLast().key()));
            if (!more || full) {
                var token = more && last != null
                        ? ContinueToken.after(page.revision(), last).encode()
                        : "";
                return new Answer.Many(served.kind(), page.revision(), items, token, Optional.empty(), advice(served));
            }
            page = store.list(range, page.revision(), last, limit);
        }
    }

    static Json.Obj view(Stored stored, Served served) {
        return served.conversion().fromStored(stored.tree());
    }
}
