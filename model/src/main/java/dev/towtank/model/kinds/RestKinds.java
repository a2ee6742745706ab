package dev.towtank.model.kinds;

import dev.towtank.model.Kind;
import dev.towtank.model.kinds.admissionregistration.MutatingWebhookConfigurations;
import dev.towtank.model.kinds.admissionregistration.ValidatingAdmissionPolicies;
import dev.towtank.model.kinds.admissionregistration.ValidatingAdmissionPolicyBindings;
import dev.towtank.model.kinds.admissionregistration.ValidatingWebhookConfigurations;
import dev.towtank.model.kinds.apps.ControllerRevisions;
import dev.towtank.model.kinds.apps.DaemonSets;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.autoscaling.HorizontalPodAutoscalers;
import dev.towtank.model.kinds.batch.CronJobs;
import dev.towtank.model.kinds.batch.Jobs;
import dev.towtank.model.kinds.coordination.Leases;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.model.kinds.events.Events;
import dev.towtank.model.kinds.networking.IngressClasses;
import dev.towtank.model.kinds.networking.Ingresses;
import dev.towtank.model.kinds.networking.NetworkPolicies;
import dev.towtank.model.kinds.policy.PodDisruptionBudgets;
import dev.towtank.model.kinds.rbac.ClusterRoleBindings;
import dev.towtank.model.kinds.rbac.ClusterRoles;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import dev.towtank.model.kinds.scheduling.PriorityClasses;
import dev.towtank.model.kinds.storage.StorageClasses;
import java.util.List;

/// The built-in kinds outside the core group, in the order in which Kubernetes lists their groups.
public final class RestKinds {

    public static final List<Kind<?>> ALL = List.of(
            ControllerRevisions.KIND,
            DaemonSets.KIND,
            Deployments.KIND,
            ReplicaSets.KIND,
            StatefulSets.KIND,
            Events.KIND,
            HorizontalPodAutoscalers.KIND,
            HorizontalPodAutoscalers.OLDER,
            CronJobs.KIND,
            Jobs.KIND,
            IngressClasses.KIND,
            Ingresses.KIND,
            NetworkPolicies.KIND,
            PodDisruptionBudgets.KIND,
            ClusterRoleBindings.KIND,
            ClusterRoles.KIND,
            RoleBindings.KIND,
            Roles.KIND,
            StorageClasses.KIND,
            MutatingWebhookConfigurations.KIND,
            ValidatingAdmissionPolicies.KIND,
            ValidatingAdmissionPolicyBindings.KIND,
            ValidatingWebhookConfigurations.KIND,
            PriorityClasses.KIND,
            Leases.KIND,
            EndpointSlices.KIND);

    private RestKinds() {}
}
