package dev.towtank.controllers.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DoorwayTest {
    private static final Resource CLAIM = object("""
            apiVersion: objectbucket.io/v1alpha1
            kind: ObjectBucketClaim
            metadata: {name: models, namespace: team}
            """);
    private static final Optional<Resource> NAMESPACE =
            Optional.of(object("{apiVersion: v1, kind: Namespace, metadata: {name: openshift-storage}}"));

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Optional<Resource> service(String ports) {
        return Optional.of(object("{apiVersion: v1, kind: Service, metadata: {name: s3, namespace: openshift-storage},"
                + " spec: {ports: " + ports + "}}"));
    }

    private static Optional<Resource> slice(String ports) {
        return Optional.of(object("{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: s3-towtank,"
                + " namespace: openshift-storage}, ports: " + ports + "}"));
    }

    private static List<String> applied(Optional<Resource> service, Optional<Resource> slice) {
        var doorway = new Doorway(Optional.of(new S3Ports(8001, 8002)), NAMESPACE, service, slice);
        return doorway.plan(CLAIM).changes().stream()
                .map(Change.Apply.class::cast)
                .map(change -> change.object().json())
                .map(object -> object.string("kind") + " " + ports(object))
                .toList();
    }

    private static List<Long> ports(Json.Obj object) {
        var holder = object.string("kind").equals("Service") ? object.object("spec") : object;
        return holder.objects("ports").stream()
                .map(port -> port.integer("port"))
                .toList();
    }

    @Test
    void leadsToTheStoreAlsoByAPortThatEverybodyMayListenOn() {
        assertThat(applied(Optional.empty(), Optional.empty()))
                .containsExactly("Service [80, 443, 6001]", "EndpointSlice [8001, 8002, 8001]");
        assertThat(Doorway.ENDPOINT).isEqualTo("http://s3.openshift-storage.svc:6001");
    }

    @Test
    void staysAsItIsWhereItLeadsThere() {
        assertThat(applied(
                        service("[{port: 80}, {port: 443}, {port: 6001}]"),
                        slice("[{port: 8001}, {port: 8002}, {port: 8001}]")))
                .isEmpty();
    }

    @Test
    void anOlderOneGetsWhatItLacks() {
        assertThat(applied(service("[{port: 80}, {port: 443}]"), slice("[{port: 8001}, {port: 8002}]")))
                .containsExactly("Service [80, 443, 6001]", "EndpointSlice [8001, 8002, 8001]");
    }
}
