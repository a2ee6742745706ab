package dev.towtank.model.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.kinds.coordination.Leases;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.model.kinds.policy.PodDisruptionBudgets;
import dev.towtank.model.kinds.scheduling.PriorityClasses;
import dev.towtank.model.kinds.storage.StorageClasses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherKindsTest {

    private static final KindTrial STORAGE = new KindTrial(StorageClasses.KIND);
    private static final KindTrial LEASE = new KindTrial(Leases.KIND);
    private static final KindTrial BUDGET = new KindTrial(PodDisruptionBudgets.KIND);
    private static final KindTrial SLICE = new KindTrial(EndpointSlices.KIND);
    private static final KindTrial PRIORITY = new KindTrial(PriorityClasses.KIND);

    private static final String NOW = "2026-01-01T00:01:00Z";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {} | provisioner: Required value
            {provisioner: a.io/b, reclaimPolicy: Recycle} | reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"
            {provisioner: a.io/b, volumeBindingMode: Later} | volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"
            {provisioner: a.io/b, allowedTopologies: [{matchLabelExpressions: [{key: zone}]}]} | allowedTopologies[0].matchLabelExpressions[0].values: Required value
            {provisioner: a.io/b, allowedTopologies: [{matchLabelExpressions: [{key: z, values: [a, a]}]}]} | allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"
            """)
    void storageClassesNameAProvisioner(String object, String message) {
        assertThat(STORAGE.errors(object)).containsExactly(message);
    }

    @Test
    void storageClassesNeverChangeWhatTheyProvision() {
        assertThat(STORAGE.updateErrors(
                        "{provisioner: a.io/b}",
                        "{provisioner: a.io/c, reclaimPolicy: Retain,"
                                + " parameters: {a: b}, allowVolumeExpansion: true}"))
                .containsExactly(
                        "parameters: Invalid value: {\"a\":\"b\"}: field is immutable",
                        "provisioner: Invalid value: \"a.io/c\": field is immutable",
                        "reclaimPolicy: Invalid value: \"Retain\": field is immutable");
    }

    @Test
    void storageClassesShowWhichIsTheDefault() {
        assertThat(STORAGE.headings())
                .containsExactly(
                        "Name", "Provisioner", "ReclaimPolicy", "VolumeBindingMode", "AllowVolumeExpansion", "Age");
        assertThat(STORAGE.row("""
                        metadata:
                          name: fast
                          creationTimestamp: 2026-01-01T00:00:00Z
                          annotations: {storageclass.kubernetes.io/is-default-class: "true"}
                        provisioner: a.io/b
                        """, NOW))
                .containsExactly("fast (default)", "a.io/b", "Delete", "Immediate", "false", "60s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {leaseDurationSeconds: 0} | spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0
            {leaseTransitions: -1} | spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0
            {preferredHolder: a} | spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined
            {strategy: Odd} | spec.strategy.strategy: Unsupported value: "Odd": supported values: "OldestEmulationVersion"
            """)
    void leasesLastSomeTime(String spec, String message) {
        assertThat(LEASE.errors("{spec: " + spec + "}")).containsExactly(message);
    }

    @Test
    void leasesShowTheirHolderAndAreNeverOverwrittenBlindly() {
        assertThat(LEASE.row("{metadata: {name: a}, spec: {holderIdentity: me}}", NOW))
                .containsExactly("a", "me", "<unknown>");
        assertThat(Leases.KIND.rules().allowsUnconditionalUpdate()).isFalse();
        assertThat(Leases.KIND.rules().allowsCreateOnUpdate()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {minAvailable: 1, maxUnavailable: 1} | spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set
            {minAvailable: 101%} | spec.minAvailable: Invalid value: "101%": must not be greater than 100%
            {maxUnavailable: -1} | spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0
            {unhealthyPodEvictionPolicy: Odd} | spec.unhealthyPodEvictionPolicy: Unsupported value: "Odd": supported values: "AlwaysAllow", "IfHealthyBudget"
            """)
    void budgetsSetOneLimit(String spec, String message) {
        assertThat(BUDGET.errors("{spec: " + spec + "}")).containsExactly(message);
    }

    @Test
    void budgetsShowTheirLimits() {
        assertThat(BUDGET.headings())
                .containsExactly("Name", "Min Available", "Max Unavailable", "Allowed Disruptions", "Age");
        assertThat(BUDGET.row("{metadata: {name: a}, spec: {minAvailable: 50%}, status: {disruptionsAllowed: 2}}", NOW))
                .containsExactly("a", "50%", "N/A", "2", "<unknown>");
        assertThat(BUDGET.statusErrors("{}", "{status: {currentHealthy: -1, conditions: [{type: A, status: Odd}]}}"))
                .containsExactly(
                        "status.conditions[0].status: Unsupported value: \"Odd\": supported values: \"False\", \"True\","
                                + " \"Unknown\"",
                        "status.conditions[0].lastTransitionTime: Required value",
                        "status.conditions[0].reason: Required value",
                        "status.currentHealthy: Invalid value: -1: must be greater than or equal to 0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {} | addressType: Required value
            {addressType: IPX} | addressType: Unsupported value: "IPX": supported values: "FQDN", "IPv4", "IPv6"
            {addressType: IPv4, endpoints: [{}]} | endpoints[0].addresses: Required value: must contain at least 1 address
            {addressType: IPv4, endpoints: [{addresses: ["::1:2"]}]} | endpoints[0].addresses: Invalid value: "::1:2": must be an IPv4 address
            {addressType: IPv4, endpoints: [{addresses: [169.254.0.1]}]} | endpoints[0].addresses[0]: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)
            {addressType: FQDN, endpoints: [{addresses: [local]}]} | endpoints[0].addresses[0]: Invalid value: "local": should be a domain with at least two segments separated by dots
            {addressType: IPv4, ports: [{name: a}, {name: a}]} | ports[1].name: Duplicate value: "a"
            {addressType: IPv4, ports: [{protocol: ICMP}]} | ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"
            """)
    void slicesHoldAddressesOfOneType(String object, String message) {
        assertThat(SLICE.errors(object)).containsExactly(message);
    }

    @Test
    void slicesKeepTheirTypeAndForgetOldTopology() {
        assertThat(SLICE.updateErrors("{addressType: IPv4}", "{addressType: IPv6}"))
                .containsExactly("addressType: Invalid value: \"IPv6\": field is immutable");
        assertThat(SLICE.stored("{addressType: IPv4, endpoints: [{addresses: [1.2.3.4], deprecatedTopology: {a: b}}]}")
                        .array("endpoints"))
                .hasToString("[{\"addresses\":[\"1.2.3.4\"]}]");
    }

    @Test
    void slicesShowTheFirstThree() {
        assertThat(SLICE.row("""
                        metadata: {name: web-abc}
                        addressType: IPv4
                        ports: [{port: 80}, {name: http}]
                        endpoints: [{addresses: [10.0.0.1, 10.0.0.2]}, {addresses: [10.0.0.3, 10.0.0.4]}]
                        """, NOW))
                .containsExactly("web-abc", "IPv4", "80,http", "10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...", "<unknown>");
        assertThat(SLICE.row("{addressType: IPv4}", NOW).subList(2, 4)).containsExactly("<unset>", "<unset>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {metadata: {name: a}, value: 1000000001} | value: Forbidden: maximum allowed value of a user defined priority is 1000000000
            {metadata: {name: a}, preemptionPolicy: Odd} | preemptionPolicy: Unsupported value: "Odd": supported values: "PreemptLowerPriority", "Never"
            {metadata: {name: system-x}} | metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class
            {metadata: {name: system-node-critical}, value: 1} | metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000
            """)
    void prioritiesLeaveRoomForTheSystem(String object, String message) {
        assertThat(PRIORITY.errors(object)).containsExactly(message);
    }

    @Test
    void prioritiesStayAndAreShown() {
        assertThat(PRIORITY.errors("{metadata: {name: system-cluster-critical}, value: 2000000000}"))
                .isEmpty();
        assertThat(PRIORITY.updateErrors("{value: 1}", "{value: 2, preemptionPolicy: Never}"))
                .containsExactly(
                        "value: Forbidden: may not be changed in an update.",
                        "preemptionPolicy: Invalid value: \"Never\": field is immutable");
        assertThat(PRIORITY.headings()).containsExactly("Name", "Value", "Global-Default", "Age", "PreemptionPolicy");
        assertThat(PRIORITY.row(PRIORITY.stored("{metadata: {name: a}, value: 5}"), NOW))
                .containsExactly("a", "5", "false", "<unknown>", "PreemptLowerPriority");
    }
}
