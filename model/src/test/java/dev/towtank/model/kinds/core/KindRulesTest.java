package dev.towtank.model.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.ObjectMetas;
import dev.towtank.model.patch.MergePatch;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs the tables in `kinds/core`: each file has an object of a kind, and cases that change it a little.
///
/// `patch` is merged into the base before it is created, `container` into its first container. With `update` the base
/// is created first and the merged object is an update of it, with `status` an update of its status.
class KindRulesTest {

    static Stream<Arguments> cases() {
        return CoreKinds.ALL.stream().flatMap(kind -> {
            var table = table(kind);
            return table.objects("cases").stream()
                    .map(each -> Arguments.of(
                            Named.of(kind.kind() + ": " + each.string("name"), each), kind, table.object("base")));
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void saysWhatIsWrong(Json.Obj each, Kind<?> kind, Json.Obj base) {
        var errors = new FieldError.Collector();
        if (each.has("update")) {
            var old = created(kind, base);
            var updated = kind.rules().prepareUpdate(kind.rules().defaults(merge(old, each, "update")), old);
            ObjectMetas.validateUpdate(kind, updated.object("metadata"), old.object("metadata"), errors);
            kind.rules().validate(kind.rules().defaults(updated), errors);
            kind.rules().validateUpdate(kind.rules().defaults(updated), old, errors);
        } else if (each.has("status")) {
            var old = created(kind, base);
            kind.rules().validateStatus(kind.rules().defaults(merge(old, each, "status")), old, errors);
        } else {
            var object = created(kind, merge(base, each, "patch"));
            ObjectMetas.validate(kind, object.object("metadata"), errors);
            kind.rules().validate(object, errors);
            kind.rules().validateCreate(object, errors);
        }
        assertThat(errors.errors().stream().map(FieldError::message).toList())
                .containsExactlyElementsOf(each.array("errors").strings());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void fillsInDefaultsOnlyOnce(Kind<?> kind) {
        var once = created(kind, table(kind).object("base"));
        assertThat(kind.rules().defaults(once)).isEqualTo(once);
        var again = kind.rules().prepareUpdate(once, once);
        assertThat(kind.rules().defaults(again)).isEqualTo(once);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void acceptsAnUpdateThatChangesNothing(Kind<?> kind) {
        var object = created(kind, table(kind).object("base"));
        var errors = new FieldError.Collector();
        kind.rules().validateUpdate(object, object, errors);
        assertThat(errors.errors()).isEmpty();
    }

    static List<Kind<?>> kinds() {
        return CoreKinds.ALL;
    }

    static Json.Obj created(Kind<?> kind, Json.Obj object) {
        var given = kind.hasStatus() && !kind.rules().keepsStatusOnCreate() ? object.without("status") : object;
        return kind.rules().defaults(kind.rules().prepareCreate(given));
    }

    private static Json.Obj merge(Json.Obj base, Json.Obj each, String how) {
        var merged = each.get(how) instanceof Json.Obj patch ? MergePatch.apply(base, patch) : base;
        if (!(each.get("container") instanceof Json.Obj change)) {
            return merged;
        }
        var containers = merged.array("spec", "containers");
        var first = MergePatch.apply(containers.get(0), change);
        return merged.with(List.of("spec", "containers"), Json.Arr.of(first));
    }

    private static Json.Obj table(Kind<?> kind) {
        var file = "/kinds/core/" + kind.plural() + ".yaml";
        try (var stream = KindRulesTest.class.getResourceAsStream(file)) {
            assertThat(stream).as(file).isNotNull();
            return (Json.Obj) YamlText.parse(stream.readAllBytes());
        } catch (IOException e) {
            throw new AssertionError(file, e);
        }
    }
}
