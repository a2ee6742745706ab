package dev.towtank.controllers.testclusters.spaces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TierTest {

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static List<Room> rooms(String tier, String template) {
        var read = new Tier(
                object("{metadata: {name: base}, spec: " + tier + "}"),
                name -> name.equals("dev")
                        ? Optional.of(object("{metadata: {name: dev}, spec: " + template + "}"))
                        : Optional.empty());
        return read.rooms(LogicalCluster.DEFAULT, "mine-1");
    }

    private static final String NAMESPACE = "{apiVersion: v1, kind: Namespace, metadata: {name: '${SPACE_NAME}-dev'}}";

    @Test
    void parametersOfTheTierGoBeforeThoseOfItsTemplate() {
        var rooms = rooms(
                "{namespaces: [{templateRef: dev}], parameters: [{name: MEMORY, value: 2Gi}]}",
                "{template: {parameters: [{name: MEMORY, value: 1Gi}, {name: CPU, value: '4'}], objects: [" + NAMESPACE
                        + ", {apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: '${SPACE_NAME}-dev'},"
                        + " spec: {hard: {memory: '${MEMORY}', cpu: '${CPU}'}}}]}}");
        assertThat(rooms).singleElement().satisfies(room -> {
            assertThat(room.namespace()).isEqualTo("mine-1-dev");
            assertThat(room.objects().getLast().object("spec", "hard").toString())
                    .isEqualTo("{\"memory\":\"2Gi\",\"cpu\":\"4\"}");
        });
    }

    @Test
    void aValueIsDataEvenWhereItLooksLikeAVariable() {
        var rooms = rooms(
                "{namespaces: [{templateRef: dev}], parameters: [{name: WORD, value: '${SPACE_NAME}{{.X}}'}]}",
                "{templateObjects: [{apiVersion: v1, kind: Namespace, metadata: {name: '{{.SPACE_NAME}}', annotations:"
                        + " {word: '{{ .WORD }}'}}}]}");
        assertThat(rooms.getFirst().objects().getFirst().string("metadata", "annotations", "word"))
                .isEqualTo("${SPACE_NAME}{{.X}}");
    }

    @Test
    void whatReachesOutOfTheSpaceIsRefusedByName() {
        assertThatThrownBy(() -> rooms("{namespaces: [{templateRef: dev}], clusterResources: {templateRef: x}}", "{}"))
                .hasMessageContaining("clusterResources");
        assertThatThrownBy(
                        () -> rooms(
                                "{namespaces: [{templateRef: dev}]}",
                                "{template: {objects: [" + NAMESPACE
                                        + ", {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: kube-system}}]}}"))
                .hasMessageContaining("ConfigMap c is not in namespace mine-1-dev");
        assertThatThrownBy(() -> rooms("{namespaces: [{templateRef: gone}]}", "{}"))
                .hasMessageContaining("TierTemplate gone is missing");
        assertThatThrownBy(() -> rooms(
                        "{namespaces: [{templateRef: dev}]}",
                        "{template: {objects: [{apiVersion: v1, kind: Namespace, metadata: {name: '${OTHER}'}}]}}"))
                .hasMessageContaining("\"OTHER\", which no parameter sets");
    }
}
