package dev.towtank.model.helm;

import java.util.List;

/// The APIs that Helm 3.21 takes for granted where no cluster is asked: all of Kubernetes that its client knows, older
/// versions included.
final class KnownApis {
    static final List<String> ALL = """
            admissionregistration.k8s.io/v1
            admissionregistration.k8s.io/v1alpha1
            admissionregistration.k8s.io/v1beta1
            apiextensions.k8s.io/v1
            apiextensions.k8s.io/v1beta1
            apps/v1
            apps/v1beta1
            apps/v1beta2
            authentication.k8s.io/v1
            authentication.k8s.io/v1alpha1
            authentication.k8s.io/v1beta1
            authorization.k8s.io/v1
            authorization.k8s.io/v1beta1
            autoscaling/v1
            autoscaling/v2
            autoscaling/v2beta1
            autoscaling/v2beta2
            batch/v1
            batch/v1beta1
            certificates.k8s.io/v1
            certificates.k8s.io/v1alpha1
            certificates.k8s.io/v1beta1
            coordination.k8s.io/v1
            coordination.k8s.io/v1alpha2
            coordination.k8s.io/v1beta1
            discovery.k8s.io/v1
            discovery.k8s.io/v1beta1
            events.k8s.io/v1
            events.k8s.io/v1beta1
            extensions/v1beta1
            flowcontrol.apiserver.k8s.io/v1
            flowcontrol.apiserver.k8s.io/v1beta1
            flowcontrol.apiserver.k8s.io/v1beta2
            flowcontrol.apiserver.k8s.io/v1beta3
            internal.apiserver.k8s.io/v1alpha1
            networking.k8s.io/v1
            networking.k8s.io/v1beta1
            node.k8s.io/v1
            node.k8s.io/v1alpha1
            node.k8s.io/v1beta1
            policy/v1
            policy/v1beta1
            rbac.authorization.k8s.io/v1
            rbac.authorization.k8s.io/v1alpha1
            rbac.authorization.k8s.io/v1beta1
            resource.k8s.io/v1
            resource.k8s.io/v1alpha3
            resource.k8s.io/v1beta1
            resource.k8s.io/v1beta2
            scheduling.k8s.io/v1
            scheduling.k8s.io/v1alpha1
            scheduling.k8s.io/v1beta1
            storage.k8s.io/v1
            storage.k8s.io/v1alpha1
            storage.k8s.io/v1beta1
            storagemigration.k8s.io/v1beta1
            v1
            """.lines().toList();

    private KnownApis() {}
}
