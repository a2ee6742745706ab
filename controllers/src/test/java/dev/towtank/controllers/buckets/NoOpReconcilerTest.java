package dev.towtank.controllers.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.controllers.buckets.api.BucketKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoOpReconcilerTest {

    @Test
    void whatSetsUpAnotherObjectStoreIsTakenAndSaysThatNothingComesOfIt() {
        for (var kind : List.of(BucketKinds.NOOBAA, BucketKinds.BACKING_STORE)) {
            var object = Resource.of((Json.Obj) YamlText.parse("{apiVersion: noobaa.io/v1alpha1, kind: " + kind.kind()
                    + ", metadata: {name: noobaa, namespace: openshift-storage}, spec: {dbType: postgres}}"));
            var now = Instant.parse("2026-01-02T03:04:05Z");
            var plan = new NoOpReconciler(kind).reconcile(Observed.of(kind, object), true, now);
            var status = ((Change.SetStatus) plan.changes().getFirst()).status();
            assertThat(status.string("phase")).isEqualTo("Ready");
            assertThat(status.objects("conditions").getFirst().string("message"))
                    .contains("nothing of spec has an effect here");

            var told = object.with(object.json().with("status", status));
            assertThat(new NoOpReconciler(kind)
                            .reconcile(Observed.of(kind, told), true, now)
                            .isNone())
                    .isTrue();
        }
    }
}
