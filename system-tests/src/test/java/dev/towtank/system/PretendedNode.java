package dev.towtank.system;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Gives the pods labelled `pretended` the status that a node would give them, without running anything.
///
/// A pod ends as its annotation `fate` says: `Succeeded` or `Failed`; without one it runs on and is ready.
final class PretendedNode implements AutoCloseable {

    /// No node has this label, so that nobody else runs the pods.
    static final String SELECTOR = "nodeSelector: {towtank.dev/pretended: \"yes\"}";

    private final KubernetesClient client;
    private final SharedIndexInformer<Pod> informer;

    PretendedNode(KubernetesClient client) {
        this.client = client;
        this.informer = client.pods().inAnyNamespace().withLabel("pretended").inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod) {
                look(pod);
            }

            @Override
            public void onUpdate(Pod old, Pod pod) {
                look(pod);
            }

            @Override
            public void onDelete(Pod pod, boolean unknown) {}
        });
    }

    private void look(Pod pod) {
        try {
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                client.resource(pod).withGracePeriod(0).delete();
            } else if ("Pending".equals(pod.getStatus().getPhase())) {
                var annotations = pod.getMetadata().getAnnotations();
                set(pod, annotations == null ? "Running" : annotations.getOrDefault("fate", "Running"));
            }
        } catch (KubernetesClientException e) {
            // Somebody else changed it meanwhile: that change is told too.
        }
    }

    private void set(Pod pod, String phase) {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        var status = new PodBuilder()
                .withNewStatus()
                .withPhase(phase)
                .withPodIP("127.3.2.1")
                .addNewPodIP()
                .withIp("127.3.2.1")
                .endPodIP()
                .addNewCondition()
                .withType("Ready")
                .withStatus(phase.equals("Running") ? "True" : "False")
                .withLastTransitionTime(now)
                .endCondition()
                .endStatus()
                .build();
        client.resource(pod).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), status);
    }

    @Override
    public void close() {
        informer.close();
    }
}
