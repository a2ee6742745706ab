package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.apiserver.catalog.Converted;
import dev.towtank.apiserver.store.Feed;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Starts watches: from a revision, or from the present state told as additions.
final class Watching {

    private final Store store;
    private final Clusters clusters;

    Watching(Store store, Clusters clusters) {
        this.store = store;
        this.clusters = clusters;
    }

    Answer watch(Call call, Served served) {
        Revisions.checkWatchOptions(call.params());
        var selectors = Selectors.of(call, served.kind());
        long asked = Revisions.parse(call.params().text("resourceVersion"));
        Revisions.checkReached(asked, store.revision());
        clusters.checkPast(call.cluster(), asked);
        return new Answer.Watching(served.kind(), open(call, served, selectors, asked), Reading.advice(served));
    }

    private WatchStream open(Call call, Served served, Selectors selectors, long asked) {
        boolean tellsWhenComplete = call.params().has("sendInitialEvents");
        boolean wantsState = tellsWhenComplete ? call.params().flag("sendInitialEvents") : asked == 0;
        var range = Reading.range(call, served);
        var over = clusters.over(call.cluster());
        if (!wantsState) {
            long since = asked == 0 ? store.revision() : asked;
            try {
                return new SelectedChanges(served, selectors, List.of(), store.feed(range, since), over);
            } catch (Feed.Expired e) {
                throw StatusError.tooOld(e.asked(), e.oldest());
            }
        }
        return fromState(served, selectors, range, over, tellsWhenComplete);
    }

    private WatchStream fromState(
            Served served, Selectors selectors, Range range, BooleanSupplier over, boolean tellsWhenComplete) {
        var page = store.list(range, 0, null, 0);
        var events = new ArrayList<WatchStream.Event>(page.items().size() + 1);
        for (var content : Converted.of(page.items(), served)) {
            if (selectors.isEmpty() || selectors.matches(content.tree())) {
                events.add(new WatchStream.Event(WatchStream.Type.ADDED, content));
            }
        }
        if (tellsWhenComplete) {
            var annotations = Json.Obj.of("k8s.io/initial-events-end", Json.of("true"));
            events.add(SelectedChanges.bookmark(served.kind(), page.revision(), annotations));
        }
        return new SelectedChanges(served, selectors, events, store.feed(range, page.revision()), over);
    }
}
