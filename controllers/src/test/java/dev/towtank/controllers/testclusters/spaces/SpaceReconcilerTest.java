package dev.towtank.controllers.testclusters.spaces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpaceReconcilerTest {

    private static final Instant BORN = Instant.parse("2026-01-02T03:00:00Z");
    private static final String URL = "https://127.0.0.1:6443";
    private static final Room ROOM = new Room(
            LogicalCluster.DEFAULT, "room", List.of(json("{apiVersion: v1, kind: Namespace, metadata: {name: room}}")));

    private static Json.Obj json(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Resource claim(String more) {
        return Resource.of(json("{apiVersion: eaas.konflux-ci.dev/v1alpha1, kind: Namespace, metadata: {name: ci,"
                + " namespace: team, uid: u-1, creationTimestamp: '2026-01-02T03:00:00Z', finalizers:"
                + " [finalizer.apiextensions.crossplane.io]" + more
                + "}, spec: {writeConnectionSecretToRef: {name: keys}}}"));
    }

    private static Resource request() {
        return Resource.of(
                json("{apiVersion: toolchain.dev.openshift.com/v1alpha1, kind: SpaceRequest, metadata: {name:"
                        + " space, namespace: team, uid: u-2, creationTimestamp: '2026-01-02T03:00:00Z', finalizers:"
                        + " [finalizer.toolchain.dev.openshift.com]}, spec: {tierName: eaas}}"));
    }

    private static Optional<Resource> secret(Resource owner, String expires) {
        return Optional.of(Resource.of(json("{apiVersion: v1, kind: Secret, metadata: {name: keys, namespace: team,"
                + " annotations: {towtank.dev/expires: '" + expires + "', towtank.dev/address: '" + URL
                + "'}, ownerReferences: [{apiVersion: a/v1, kind: X, name: x, uid: " + owner.uid()
                + ", controller: true}]}, data: {kubeconfig: eA==}}")));
    }

    private static SpaceFacts facts(Optional<Resource> secret) {
        return new SpaceFacts(
                Optional.empty(),
                URL,
                "manager",
                List.of(new SpaceFacts.Furnished(ROOM, Optional.empty(), secret)),
                List.of(),
                List.of());
    }

    private static Plan plan(Door door, Resource asked, SpaceFacts facts, Instant now) {
        return new SpaceReconciler(door).reconcile(Observed.of(door.kind(), asked), facts, now);
    }

    private static List<Delivery.Issue> issued(Plan plan) {
        return plan.changes().stream()
                .filter(Change.Act.class::isInstance)
                .map(change -> (Delivery.Issue) ((Change.Act) change).deed())
                .toList();
    }

    @Test
    void theTokenOfAClaimEndsWithTheClaim() {
        var now = BORN.plus(Duration.ofHours(1));
        assertThat(issued(plan(new Door.NamespaceClaims(), claim(""), facts(Optional.empty()), now)))
                .containsExactly(
                        new Delivery.Issue(LogicalCluster.DEFAULT, "room", "manager", "room", Duration.ofHours(3)));
    }

    @Test
    void aTokenThatLastsToTheEndIsNotRenewed() {
        var good = secret(claim(""), "2026-01-02T07:00:00Z");
        var plan = plan(new Door.NamespaceClaims(), claim(""), facts(good), BORN.plus(Duration.ofHours(3)));
        assertThat(issued(plan)).isEmpty();
        assertThat(plan.lookAgain()).contains(BORN.plus(Duration.ofHours(4)));
    }

    @Test
    void aClaimGoesAfterFourHours() {
        var plan = plan(new Door.NamespaceClaims(), claim(""), facts(Optional.empty()), BORN.plus(Duration.ofHours(4)));
        assertThat(plan.changes()).singleElement().isInstanceOf(Change.Delete.class);
    }

    @Test
    void theTokenOfASpaceRequestIsRenewedAtHalfOfItsLife() {
        var expires = secret(request(), "2026-01-03T03:00:00Z");
        var door = new Door.SpaceRequests();
        var noon = Instant.parse("2026-01-02T15:00:00Z");
        assertThat(issued(plan(door, request(), facts(expires), noon.minusSeconds(1))))
                .isEmpty();
        assertThat(issued(plan(door, request(), facts(expires), noon)))
                .singleElement()
                .satisfies(issue -> assertThat(issue.life()).isEqualTo(Duration.ofHours(24)));
    }

    @Test
    void aSecretOfSomebodyElseIsNotTakenOver() {
        var foreign = secret(request(), "2026-01-02T07:00:00Z");
        var plan = plan(new Door.NamespaceClaims(), claim(""), facts(foreign), BORN);
        var act = plan.changes().stream()
                .filter(Change.Act.class::isInstance)
                .map(Change.Act.class::cast)
                .findFirst()
                .orElseThrow();
        var written = act.sequel().after(json("{kubeconfig: x, token: t, expires: '2026-01-02T07:00:00Z'}"));
        // Which the server refuses, because the other is there.
        assertThat(written.changes()).singleElement().isInstanceOf(Change.Create.class);
    }

    @Test
    void theWayInGoesBeforeTheRoom() {
        var namespace = Resource.of(json("{apiVersion: v1, kind: Namespace, metadata: {name: room}}"));
        var account =
                Resource.of(json("{apiVersion: v1, kind: ServiceAccount, metadata: {name: manager, namespace: room}}"));
        var facts = new SpaceFacts(Optional.empty(), "", "", List.of(), List.of(namespace), List.of(account));
        var plan = plan(new Door.NamespaceClaims(), claim(", deletionTimestamp: '2026-01-02T03:10:00Z'"), facts, BORN);
        assertThat(plan.changes().stream()
                        .filter(Change.Delete.class::isInstance)
                        .map(change -> ((Change.Delete) change).kind().kind()))
                .containsExactly("ServiceAccount", "Namespace");
        var after = new SpaceFacts(Optional.empty(), "", "", List.of(), List.of(), List.of());
        assertThat(plan(new Door.NamespaceClaims(), claim(", deletionTimestamp: '2026-01-02T03:10:00Z'"), after, BORN)
                        .changes())
                .singleElement()
                .isInstanceOf(Change.PatchFields.class);
    }
}
