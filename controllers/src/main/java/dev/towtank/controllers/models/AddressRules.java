package dev.towtank.controllers.models;

import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.model.Durations;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Of models and policies: addresses that messages can go to, and times that are some.
record AddressRules(Kind<?> of) implements KindBehaviour {

    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);

    @Override
    public String group() {
        return ModelKinds.GROUP;
    }

    @Override
    public String kind() {
        return of.kind();
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        var spec = object.object("spec");
        var errors = new ArrayList<FieldError>();
        var targets = spec.objects("notifications");
        for (int i = 0; i < targets.size(); i++) {
            address("spec.notifications[" + i + "].url", targets.get(i).string("url"), errors);
        }
        if (spec.has("alert")) {
            address("spec.alert.url", spec.string("alert", "url"), errors);
        }
        time("spec.window", spec.string("window"), SHORTEST_WINDOW, errors);
        time("spec.coolDown", spec.string("coolDown"), Duration.ZERO, errors);
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of(StatusError.invalid(of, object.string("metadata", "name"), errors));
    }

    private static void address(String field, String url, List<FieldError> errors) {
        if (!WebAddress.isOne(url)) {
            errors.add(new FieldError(
                    FieldError.Type.INVALID,
                    field,
                    Json.of(url),
                    "must be the address of a web server, http://HOST[:PORT]/PATH, without a name or password in it"));
        }
    }

    private static void time(String field, String text, Duration least, List<FieldError> errors) {
        try {
            if (!text.isEmpty() && Durations.parse(text).compareTo(least) < 0) {
                errors.add(new FieldError(
                        FieldError.Type.INVALID, field, Json.of(text), "must be at least " + Durations.format(least)));
            }
        } catch (Durations.Malformed e) {
            errors.add(new FieldError(FieldError.Type.INVALID, field, Json.of(text), String.valueOf(e.getMessage())));
        }
    }
}
