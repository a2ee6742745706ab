package dev.towtank.model.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class BuiltinKindsTest {

    @SuppressWarnings("unused") // by FieldSource
    private static final java.util.List<Kind<?>> KINDS = BuiltinKinds.ALL;

    @Test
    void namesEachResourceOnce() {
        assertThat(BuiltinKinds.ALL)
                .extracting(kind -> kind.apiVersion() + kind.plural())
                .doesNotHaveDuplicates();
    }

    @Test
    void listsGroupsInUpstreamsOrder() {
        assertThat(BuiltinKinds.ALL.stream().map(Kind::apiVersion).distinct())
                .containsExactly(
                        "v1",
                        "apps/v1",
                        "events.k8s.io/v1",
                        "autoscaling/v2",
                        "autoscaling/v1",
                        "batch/v1",
                        "networking.k8s.io/v1",
                        "policy/v1",
                        "rbac.authorization.k8s.io/v1",
                        "storage.k8s.io/v1",
                        "admissionregistration.k8s.io/v1",
                        "scheduling.k8s.io/v1",
                        "coordination.k8s.io/v1",
                        "discovery.k8s.io/v1");
    }

    /// Shapes are checked before rules, but rules must not fall over when they are not.
    @ParameterizedTest
    @FieldSource("KINDS")
    void survivesObjectsOfAnyShape(Kind<?> kind) {
        var rules = kind.rules();
        for (var text :
                new String[] {"{}", "{spec: 1, status: [], metadata: x}", "{spec: {template: 3, rules: [1]}}"}) {
            var object = KindTrial.yaml(text);
            var errors = new FieldError.Collector();
            var stored = rules.defaults(rules.prepareCreate(object));
            rules.validate(stored, errors);
            rules.validateCreate(stored, errors);
            var updated = rules.defaults(rules.prepareUpdate(object, stored));
            rules.validateUpdate(updated, stored, errors);
            rules.validateStatus(updated, stored, errors);
            assertThat(rules.warnings(stored)).isNotNull();
            kind.columns()
                    .forEach(column ->
                            assertThat(column.cell().of(object, Instant.EPOCH)).isNotNull());
        }
    }

    @ParameterizedTest
    @FieldSource("KINDS")
    void fillsInTheSameOnceAsTwice(Kind<?> kind) {
        var once = kind.rules()
                .defaults(new KindTrial(kind).stored("{metadata: {name: a}, spec: {template: {spec: {}}}}"));

        assertThat(kind.rules().defaults(once)).isEqualTo(once).isNotEqualTo(Json.Obj.EMPTY);
    }
}
