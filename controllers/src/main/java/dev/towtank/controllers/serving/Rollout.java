package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which revisions get how much, now. The one that was rolled out keeps all until the latest is ready, and what a
/// canary
/// leaves to it afterwards.
///
/// @param latest of the predictor; absent before there is one
/// @param rolledOut the one that got everything last; empty before there is one
/// @param previous the one before that
/// @param trial how far the latest is, where it takes over by steps
record Rollout(
        Optional<RevisionState> latest,
        Optional<RevisionState> latestReady,
        String rolledOut,
        String previous,
        List<Part> parts,
        Trial trial) {

    Rollout {
        parts = List.copyOf(parts);
    }

    /// @param tag `prev` for the one that a canary is beside of
    record Part(RevisionState state, long percent, boolean isLatest, String tag) {}

    /// @param all by name
    /// @param wanted what the predictor says about its own share
    /// @param trial which comes before that
    /// @param canaries those that are beside the predictor, with what they want
    static Rollout of(
            Json.Obj component,
            Optional<RevisionState> latest,
            Map<String, RevisionState> all,
            Optional<Long> wanted,
            Trial trial,
            Map<Track, RevisionState> canaries) {
        var rolledOut = component.string("latestRolledoutRevision");
        var previous = component.string("previousRolledoutRevision");
        var stable = Optional.ofNullable(all.get(rolledOut));
        long share = trial.percent().or(() -> wanted).orElse(100L);
        var parts = new ArrayList<Part>();
        if (latest.isPresent() && latest.get().isReady() && (stable.isEmpty() || (share == 100 && !trial.isOn()))) {
            var name = latest.get().name();
            previous = rolledOut.isEmpty() || rolledOut.equals(name) ? previous : rolledOut;
            rolledOut = name;
            parts.add(new Part(latest.get(), 100, true, ""));
        } else if (latest.isPresent()
                && stable.isPresent()
                && !latest.get().name().equals(rolledOut)) {
            boolean shares = latest.get().isReady();
            parts.add(new Part(stable.get(), shares ? 100 - share : 100, false, "prev"));
            if (shares) {
                parts.add(new Part(latest.get(), share, true, ""));
            }
        } else if (stable.isPresent()) {
            parts.add(new Part(stable.get(), 100, latest.isPresent(), ""));
        }
        var ready = latest.filter(RevisionState::isReady).or(() -> stable.filter(RevisionState::serves));
        return new Rollout(latest, ready, rolledOut, previous, beside(parts, canaries), trial);
    }

    private static List<Part> beside(List<Part> parts, Map<Track, RevisionState> canaries) {
        long taken = canaries.entrySet().stream()
                .filter(entry -> entry.getValue().serves())
                .mapToLong(entry -> entry.getKey().percent())
                .sum();
        var all = new ArrayList<Part>();
        for (var part : parts) {
            all.add(new Part(part.state, part.percent * (100 - taken) / 100, part.isLatest, part.tag));
        }
        canaries.forEach((track, state) ->
                all.add(new Part(state, state.serves() ? track.percent() : 0, false, track.canary())));
        return all;
    }

    /// Those that have something to serve now or soon; the others may go.
    Set<String> needed() {
        var names = new HashSet<String>();
        latest.ifPresent(state -> names.add(state.name()));
        parts.forEach(part -> names.add(part.state.name()));
        return names;
    }

    boolean serves() {
        return parts.stream().anyMatch(part -> part.percent > 0 && part.state.serves());
    }

    /// A revision without pods that answer has nothing to lead to; what it would get goes to the others.
    Routes routes(Duration timeout) {
        return new Routes(
                parts.stream()
                        .filter(part -> part.state.serves())
                        .map(part -> new Routes.Share(part.state.name(), part.percent, part.state.targets()))
                        .toList(),
                timeout);
    }
}
