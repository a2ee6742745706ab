package dev.towtank.model.crd;

import static dev.towtank.model.crd.SchemaTrial.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdStatusTest {

    private static final Instant NOW = Instant.parse("2024-01-01T00:00:00.5Z");

    private static Json.Obj crd(String names) {
        return yaml("""
                spec:
                  group: a.b
                  names: %s
                  versions: [{name: v1, served: true, storage: true}]
                """.formatted(names));
    }

    private static final Json.Obj CATS =
            crd("{plural: cats, singular: cat, kind: Cat, listKind: CatList, shortNames: [c], categories: [all]}");

    @Test
    void acceptsFreeNames() {
        assertThat(CrdStatus.compute(CATS, List.of(), NOW)).isEqualTo(yaml("""
                conditions:
                - lastTransitionTime: "2024-01-01T00:00:00Z"
                  message: no conflicts found
                  reason: NoConflicts
                  status: "True"
                  type: NamesAccepted
                - lastTransitionTime: "2024-01-01T00:00:00Z"
                  message: the initial names have been accepted
                  reason: InitialNamesAccepted
                  status: "True"
                  type: Established
                acceptedNames: {plural: cats, singular: cat, shortNames: [c], kind: Cat, listKind: CatList, categories: [all]}
                storedVersions: [v1]
                """));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {plural: cats, singular: tom, kind: Tom, listKind: TomList}                      | PluralConflict     | "cats" is already in use
            {plural: toms, singular: cat, kind: Tom, listKind: TomList}                      | SingularConflict   | "cat" is already in use
            {plural: toms, singular: tom, kind: Cat, listKind: TomList}                      | KindConflict       | "Cat" is already in use
            {plural: toms, singular: tom, kind: Tom, listKind: CatList}                      | ListKindConflict   | "CatList" is already in use
            {plural: toms, singular: tom, kind: Tom, listKind: TomList, shortNames: [c, t]}  | ShortNamesConflict | "c" is already in use
            {plural: toms, singular: tom, kind: Tom, listKind: TomList, shortNames: [c, cat]} | ShortNamesConflict | ["c" is already in use, "cat" is already in use]
            """)
    void refusesNamesThatAreTaken(String names, String reason, String message) {
        var taken = CATS.with("status", CrdStatus.compute(CATS, List.of(), NOW));

        var status = CrdStatus.compute(crd(names), List.of(taken), NOW);

        var conditions = status.objects("conditions");
        assertThat(conditions.get(0).string("reason")).isEqualTo(reason);
        assertThat(conditions.get(0).string("message")).isEqualTo(message);
        assertThat(conditions.get(0).string("status")).isEqualTo("False");
        assertThat(conditions.get(1).string("reason")).isEqualTo("NotAccepted");
        assertThat(conditions.get(1).string("message")).isEqualTo("not all names are accepted");
        assertThat(CrdStatus.isEstablished(crd(names).with("status", status))).isFalse();
    }

    @Test
    void changesNothingTheSecondTime() {
        var first = CrdStatus.compute(CATS, List.of(), NOW);

        assertThat(CrdStatus.compute(CATS.with("status", first), List.of(), NOW.plusSeconds(60)))
                .isEqualTo(first);
    }

    @Test
    void staysEstablishedWhenNewNamesAreTaken() {
        var cats = CATS.with("status", CrdStatus.compute(CATS, List.of(), NOW));
        var dogs = crd("{plural: dogs, singular: dog, kind: Dog, listKind: DogList}");
        dogs = dogs.with("status", CrdStatus.compute(dogs, List.of(cats), NOW));
        var renamed = dogs.with(List.of("spec", "names", "singular"), Json.of("cat"));

        var status = CrdStatus.compute(renamed, List.of(cats), NOW.plusSeconds(60));

        assertThat(status.string("acceptedNames", "singular")).isEqualTo("dog");
        assertThat(status.objects("conditions").get(0).string("lastTransitionTime"))
                .isEqualTo("2024-01-01T00:01:00Z");
        assertThat(CrdStatus.isEstablished(renamed.with("status", status))).isTrue();
    }

    @Test
    void remembersEachStorageVersion() {
        var crd = CATS.with(List.of("status", "storedVersions"), Json.Arr.ofStrings(List.of("v1beta1")));

        assertThat(CrdStatus.compute(crd, List.of(), NOW)
                        .array("storedVersions")
                        .strings())
                .containsExactly("v1beta1", "v1");
    }
}
