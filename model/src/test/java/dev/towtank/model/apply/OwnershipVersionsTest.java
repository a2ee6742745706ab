package dev.towtank.model.apply;

import static dev.towtank.model.apply.Scene.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// An object whose owners speak different versions: `v1` has `spec.address` of the form `host:port`, `v2` has both
/// apart.
class OwnershipVersionsTest {

    private static final Map<String, Shape> SHAPES = Map.of(
            "v1", shape("{address: {type: string}, note: {type: string}}"),
            "v2", shape("{host: {type: string}, port: {type: integer}, note: {type: string}}"));

    private static Shape shape(String properties) {
        return CustomShapes.of(yaml("""
                type: object
                properties:
                  spec: {type: object, properties: %s}
                  status: {type: object, properties: {seen: {type: boolean}}}
                """.formatted(properties)));
    }

    /// Counts what it is asked for, and refuses when it is told to.
    private static final class Addresses implements Versions {
        private final Map<String, Shape> shapes = new HashMap<>(SHAPES);
        private final List<String> asked = new ArrayList<>();
        private boolean down;

        @Override
        public Optional<Shape> shape(String apiVersion) {
            return Optional.ofNullable(shapes.get(apiVersion));
        }

        @Override
        public Json.Obj convert(Json.Obj object, String apiVersion) {
            asked.add(apiVersion);
            if (down) {
                throw new StatusError(StatusError.Reason.UNKNOWN, "nobody there");
            }
            assertThat(object.string("apiVersion")).isNotEqualTo(apiVersion);
            var spec = apiVersion.equals("v1") ? joined(object.object("spec")) : divided(object.object("spec"));
            return object.with("apiVersion", Json.of(apiVersion)).with("spec", spec);
        }

        private static Json.Obj joined(Json.Obj spec) {
            return spec.has("host")
                    ? spec.without("host")
                            .without("port")
                            .with("address", Json.of(spec.string("host") + ":" + spec.integer("port")))
                    : spec.without("port");
        }

        private static Json.Obj divided(Json.Obj spec) {
            if (!spec.has("address")) {
                return spec;
            }
            var parts = spec.string("address").split(":", -1);
            return spec.without("address")
                    .with("host", Json.of(parts[0]))
                    .with("port", Json.of(Long.parseLong(parts[1])));
        }
    }

    private final Addresses versions = new Addresses();
    private final Ownership ownership = new Ownership(versions);
    private Json.Obj live = Json.Obj.EMPTY;
    private long seconds;

    /// The live object as a request in a version finds it.
    private Json.Obj seenIn(String version) {
        return live.isEmpty() || live.string("apiVersion").equals(version)
                ? live
                : new Addresses().convert(live, version);
    }

    private Instant now() {
        return Instant.ofEpochSecond(1_700_000_000L + seconds++);
    }

    private void apply(String name, String version, String spec, boolean force) {
        var configuration =
                yaml("{apiVersion: %s, kind: Link, metadata: {name: x}, spec: %s}".formatted(version, spec));
        live = ownership.apply(seenIn(version), configuration, new Writer(name, version, ""), force, now());
    }

    private void apply(String name, String version, String spec) {
        apply(name, version, spec, false);
    }

    private void update(String name, String version, String spec) {
        var old = seenIn(version);
        live = ownership.update(old, old.with("spec", yaml(spec)), new Writer(name, version, ""), now());
    }

    /// `name version fields` of each owner.
    private List<String> owners() {
        return live.objects("metadata", "managedFields").stream()
                .map(each -> each.string("manager") + " " + each.string("apiVersion") + " "
                        + each.object("fieldsV1", "f:spec").keys())
                .toList();
    }

    @Test
    void tellsAConflictInTheWordsOfTheOwnersVersion() {
        apply("a", "v1", "{address: 'one:80'}");
        var refusal = catchThrowableOfType(StatusError.class, () -> apply("b", "v2", "{port: 81}"));
        assertThat(refusal.text()).isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.address");
        assertThat(refusal.details().objects("causes"))
                .extracting(cause -> cause.string("field"))
                .containsExactly(".spec.address");
    }

    @Test
    void sharesWhatBothVersionsSayAlike() {
        apply("a", "v1", "{address: 'one:80'}");
        apply("b", "v2", "{host: one}");
        assertThat(owners()).containsExactlyInAnyOrder("a v1 [f:address]", "b v2 [f:host]");
    }

    @Test
    void takesTheFieldOfTheOtherVersionByForce() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        apply("b", "v2", "{port: 81}", true);
        assertThat(live.object("spec")).isEqualTo(yaml("{host: one, port: 81, note: mine}"));
        assertThat(owners()).containsExactlyInAnyOrder("a v1 [f:note]", "b v2 [f:port]");
    }

    @Test
    void removesWhatAnApplierNamedInAnotherVersion() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        apply("a", "v2", "{host: one, port: 80}");
        assertThat(live.object("spec")).isEqualTo(yaml("{host: one, port: 80}"));
        assertThat(owners()).containsExactlyInAnyOrder("a v2 [f:host, f:port]");
    }

    @Test
    void keepsWhatAnotherVersionOwnsAPartOf() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        apply("b", "v2", "{host: one}");
        apply("a", "v1", "{note: mine}");
        assertThat(live.object("spec")).isEqualTo(yaml("{address: 'one:80', note: mine}"));
        assertThat(owners()).containsExactlyInAnyOrder("a v1 [f:note]", "b v2 [f:host]");
    }

    @Test
    void removesWhatNobodyOwnsInAnyVersion() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        apply("b", "v2", "{host: one}");
        apply("a", "v1", "{address: 'one:80'}");
        assertThat(live.object("spec")).isEqualTo(yaml("{address: 'one:80'}"));
    }

    @Test
    void anUpdateTakesFieldsAwayInEveryVersion() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        apply("b", "v2", "{host: one}");
        update("u", "v2", "{host: one, port: 81, note: mine}");
        assertThat(owners()).containsExactlyInAnyOrder("a v1 [f:note]", "b v2 [f:host]", "u v2 [f:port]");
    }

    @Test
    void theSameUpdaterIsAnotherInEachVersion() {
        update("u", "v1", "{address: 'one:80'}");
        live = live.with("apiVersion", Json.of("v1"));
        update("u", "v2", "{host: one, port: 80, note: new}");
        assertThat(owners()).containsExactlyInAnyOrder("u v1 [., f:address]", "u v2 [f:note]");
    }

    @Test
    void forgetsOwnersOfAVersionThatIsNoMore() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        live = seenIn("v2");
        versions.shapes.remove("v1");
        apply("b", "v2", "{port: 81}");
        assertThat(owners()).containsExactlyInAnyOrder("b v2 [f:port]");
        assertThat(live.string("spec", "note")).isEqualTo("mine");
        assertThat(versions.asked).isEmpty();
    }

    @Test
    void whoAppliedInAVersionThatIsNoMoreLeavesItsFieldsBehind() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        live = seenIn("v2");
        versions.shapes.remove("v1");
        apply("a", "v2", "{port: 81}");
        assertThat(live.object("spec")).isEqualTo(yaml("{host: one, port: 81, note: mine}"));
        assertThat(owners()).containsExactlyInAnyOrder("a v2 [f:port]");
    }

    @Test
    void asksForNoConversionWhereAllSpeakTheSameVersion() {
        apply("a", "v1", "{address: 'one:80', note: mine}");
        apply("b", "v1", "{address: 'one:80'}");
        apply("a", "v1", "{address: 'one:80'}");
        update("u", "v1", "{address: 'two:80'}");
        assertThat(versions.asked).isEmpty();
    }

    @Test
    void asksOnceForEachObjectAndVersion() {
        apply("a", "v1", "{address: 'one:80'}");
        apply("b", "v1", "{address: 'one:80'}");
        versions.asked.clear();
        apply("c", "v2", "{note: new}");
        assertThat(versions.asked).containsExactly("v1", "v1");
    }

    @Test
    void anApplyFailsWithItsConverter() {
        apply("a", "v1", "{address: 'one:80'}");
        versions.down = true;
        assertThatThrownBy(() -> apply("b", "v2", "{host: one}"))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("nobody there");
    }

    @Test
    void anUpdateWithoutAConverterKeepsTheOwnersThereWere() {
        apply("a", "v1", "{address: 'one:80'}");
        versions.down = true;
        update("u", "v2", "{host: two, port: 80}");
        assertThat(live.string("spec", "host")).isEqualTo("two");
        assertThat(owners()).containsExactlyInAnyOrder("a v1 [f:address]");
    }

    @Test
    void whatAnEndpointDoesNotWriteIsTakenFromNobodyInAnyVersion() {
        apply("a", "v1", "{address: 'one:80'}");
        var seen = live.with(List.of("status", "seen"), Json.of(true));
        live = ownership.update(live, seen, new Writer("s", "v1", "status"), now());
        var written = seenIn("v2").with(List.of("status", "seen"), Json.of(false));
        var main = new Ownership(versions, FieldSet.ofFields("status"));
        live = main.update(seenIn("v2"), written, new Writer("u", "v2", ""), now());
        assertThat(live.objects("metadata", "managedFields"))
                .extracting(each -> each.string("manager"))
                .containsExactly("a", "s");
    }
}
