package dev.towtank.app.secrets;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Locale;

/// One link of the chain.
///
/// @param name such as `store`
/// @param object its kind and name
/// @param summary how it is, in a few words, without values
/// @param reason why it is not whole; empty where it is
/// @param fixes what to type or to change
record Link(String name, String object, State state, String summary, String reason, List<String> fixes) {

    enum State {
        WHOLE,
        WAITING,
        BROKEN,
        /// There is nothing to judge.
        NONE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Link {
        fixes = List.copyOf(fixes);
    }

    static Link whole(String name, String object, String summary) {
        return new Link(name, object, State.WHOLE, summary, "", List.of());
    }

    static Link none(String name, String summary) {
        return new Link(name, "", State.NONE, summary, "", List.of());
    }

    static Link waiting(String name, String object, String summary, String reason, String... fixes) {
        return new Link(name, object, State.WAITING, summary, reason, List.of(fixes));
    }

    static Link broken(String name, String object, String summary, String reason, String... fixes) {
        return new Link(name, object, State.BROKEN, summary, reason, List.of(fixes));
    }

    boolean isWhole() {
        return state == State.WHOLE || state == State.NONE;
    }

    Json.Obj json() {
        var json = Json.Obj.builder()
                .put("link", name)
                .put("state", state.word())
                .putNonEmpty("object", object)
                .put("summary", summary)
                .putNonEmpty("reason", reason);
        return (fixes.isEmpty() ? json : json.put("fixes", Json.Arr.ofStrings(fixes))).build();
    }
}
