package dev.towtank.system;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;

/// An independent client of the server under test.
final class Fabric8 {

    private Fabric8() {}

    static KubernetesClient client(Path kubeconfig) {
        var config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
