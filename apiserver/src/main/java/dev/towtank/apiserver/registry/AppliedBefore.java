package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Sha256;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Remembers which configurations made no difference to an object when they were applied: whoever applies all of their
/// configuration again and again, as GitOps does, asks for the same nothing each time. What comes out of merging,
/// defaults and validation depends on the request, the kind and the object alone, so it need not be worked out again
/// while these are the same.
final class AppliedBefore {

    private static final int MOST = 4096;

    /// Everything in a request that decides what it does, the body by its digest.
    record Request(Key key, Part part, String apiVersion, String manager, Params params, ByteBuffer digest) {}

    /// @param revision of the object that stayed as it was
    private record Outcome(Served served, long revision, List<String> warnings) {}

    private final Map<Request, Outcome> outcomes = BoundedMap.byUse(MOST);

    /// Empty for callers in the process: their trees are quicker to merge than to tell apart.
    Optional<Request> request(Call call, Served served, Part part, Key key) {
        return call.body() instanceof Body.Text text && !call.isDryRun()
                ? Optional.of(new Request(
                        key, part, served.kind().apiVersion(), call.fieldManager(), call.params(), digest(text)))
                : Optional.empty();
    }

    private static ByteBuffer digest(Body.Text body) {
        return ByteBuffer.wrap(Sha256.of(body.bytes()));
    }

    /// What was said about the body when it made no difference to this object; empty when that is not known.
    synchronized Optional<List<String>> find(Request request, Served served, Stored current) {
        var outcome = outcomes.get(request);
        return outcome != null && outcome.revision == current.revision() && outcome.served.equals(served)
                ? Optional.of(outcome.warnings)
                : Optional.empty();
    }

    synchronized void remember(Request request, Served served, Stored current, List<String> warnings) {
        outcomes.put(request, new Outcome(served, current.revision(), warnings));
    }
}
