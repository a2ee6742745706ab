package dev.towtank.model.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.core.Pods;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectMetasTest {

    private static final Kind<Json.Obj> CUSTOM = Kind.namespaced("example.com", "v1", "Boat", "boats");

    private static final Json.Obj METADATA =
            Json.Obj.of("name", Json.of("a"), "namespace", Json.of("default"), "generation", Json.of(3));

    @Test
    void annotationsShareAQuarterOfAMebibyte() {
        var annotations = Json.Obj.of("a", Json.of("x".repeat(ObjectMetas.MAX_ANNOTATION_BYTES)));
        assertThat(problems(Pods.KIND, METADATA.with("annotations", annotations)))
                .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
    }

    @Test
    void annotationKeysMayHaveUpperCaseDomains() {
        assertThat(problems(Pods.KIND, METADATA.with("annotations", Json.Obj.of("Example.COM/Key", Json.of("x")))))
                .isEmpty();
    }

    @Test
    void customKindsChooseTheirFinalizersFreely() {
        var metadata = METADATA.with("finalizers", Json.Arr.ofStrings(List.of("hold")));
        assertThat(problems(CUSTOM, metadata)).isEmpty();
        assertThat(problems(Pods.KIND, metadata)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {apiVersion: v1, name: a, uid: b}              | metadata.ownerReferences.kind: Invalid value: "": must not be empty
            {apiVersion: v1, kind: Pod, uid: b}            | metadata.ownerReferences.name: Invalid value: "": must not be empty
            {apiVersion: v1, kind: Pod, name: a}           | metadata.ownerReferences.uid: Invalid value: "": must not be empty
            {kind: Pod, name: a, uid: b}                   | metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty
            {apiVersion: apps/, kind: A, name: a, uid: b}  | metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty
            {apiVersion: a/b/c, kind: A, name: a, uid: b}  | metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty
            {apiVersion: v1, kind: Event, name: a, uid: b} | metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"a","uid":"b"}: /v1, Kind=Event is disallowed from being an owner
            """)
    void anOwnerIsNamedWholly(String owner, String message) {
        var good = "{apiVersion: v1, kind: Pod, name: a, uid: b}";
        var owners = KindTrial.yaml("owners: [" + good + ", " + owner + "]").array("owners");
        assertThat(problems(Pods.KIND, METADATA.with("ownerReferences", owners)))
                .containsExactly(message);
    }

    @Test
    void nothingNewHoldsWhatIsBeingDeleted() {
        var old = METADATA.with("deletionTimestamp", Json.of("2026-01-01T00:00:00Z"))
                .with("finalizers", Json.Arr.ofStrings(List.of("a.b/c")));
        var updated = old.with("finalizers", Json.Arr.ofStrings(List.of("a.b/c", "d.e/f")));
        assertThat(updateProblems(updated, old))
                .containsExactly("metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
                        + " deleted, found new finalizers []string{\"d.e/f\"}");
    }

    @Test
    void identityDoesNotChange() {
        var updated = METADATA.with("name", Json.of("b"))
                .with("namespace", Json.of("other"))
                .with("generation", Json.of(2));
        assertThat(updateProblems(updated, METADATA))
                .containsExactly(
                        "metadata.generation: Invalid value: 2: must not be decremented",
                        "metadata.name: Invalid value: \"b\": field is immutable",
                        "metadata.namespace: Invalid value: \"other\": field is immutable");
    }

    @Test
    void prefixesOfGeneratedNamesMayEndInADash() {
        assertThat(problems(Pods.KIND, METADATA.with("generateName", Json.of("web-"))))
                .isEmpty();
        assertThat(problems(Pods.KIND, METADATA.with("generateName", Json.of("-"))))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.", "a", "-", "a-"})
    void hugeNamesAreRefusedWithoutHarm(String part) {
        var name = part.repeat(500_000);
        assertThat(Names.dnsSubdomain(name)).contains("must be no more than 253 characters");
        assertThat(Names.dnsLabel(name)).contains("must be no more than 63 characters");
        assertThat(Names.qualifiedName(name)).contains("name part must be no more than 63 bytes");
    }

    private static List<String> problems(Kind<?> kind, Json.Obj metadata) {
        var errors = new FieldError.Collector();
        ObjectMetas.validate(kind, metadata, errors);
        return errors.errors().stream().map(FieldError::message).toList();
    }

    private static List<String> updateProblems(Json.Obj metadata, Json.Obj old) {
        var errors = new FieldError.Collector();
        ObjectMetas.validateUpdate(metadata, old, errors);
        return errors.errors().stream().map(FieldError::message).toList();
    }
}
