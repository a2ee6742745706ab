package dev.towtank.controllers.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.buckets.api.BucketKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketClaimReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String HERE = "{provisioner: towtank.dev/bucket, metadata: {name: here}}";
    private static final String ELSEWHERE = "{provisioner: towtank.dev/bucket, metadata: {name: minio}, parameters:"
            + " {endpoint: 'https://minio.example:9000', adminSecretName: admin, adminSecretNamespace: storage}}";
    private static final String ADMIN = "{metadata: {name: admin, namespace: storage}, data: {AWS_ACCESS_KEY_ID: YQ==,"
            + " AWS_SECRET_ACCESS_KEY: aHVzaA==}}";

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource claim(String spec) {
        return object("{apiVersion: objectbucket.io/v1alpha1, kind: ObjectBucketClaim, metadata: {name: models,"
                + " namespace: team, uid: 7, finalizers: [objectbucket.io/finalizer]}, spec: {storageClassName: any,"
                + " objectBucketName: obc-team-models, " + spec + "}}");
    }

    private static Plan plan(Resource claim, String storageClass, Optional<Resource> admin) {
        var doorway = new Doorway(Optional.of(new S3Ports(1, 2)), Optional.empty(), Optional.empty(), Optional.empty());
        var facts = new ClaimFacts(
                Optional.of(object(storageClass)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                admin,
                doorway);
        return new BucketClaimReconciler().reconcile(Observed.of(BucketKinds.CLAIM, claim), facts, NOW);
    }

    private static String told(Plan plan) {
        return plan.changes().stream()
                .filter(Change.SetStatus.class::isInstance)
                .map(change -> ((Change.SetStatus) change).status())
                .map(status -> status.string("phase") + " " + status.string("reason") + ": " + status.string("message"))
                .findFirst()
                .orElse("");
    }

    private static Change.Act deed(Plan plan) {
        return (Change.Act) plan.changes().stream()
                .filter(Change.Act.class::isInstance)
                .findFirst()
                .orElseThrow();
    }

    /// Bad input, bucket names with tricks: A bucket's name can be part of a path, of an address and of a header: it is
    /// checked before it is any of these.
    @ParameterizedTest
    @ValueSource(
            strings = {"..", "../x", "a/b", "UPPER", "a", "-abc", "abc-", "a..b", "a b", "a?b", "a\\nb", "ä", "a%2fb"})
    void bucketNamesWithTricksAreRefusedByName(String name) {
        assertThat(told(plan(claim("bucketName: \"" + name + "\""), HERE, Optional.empty())))
                .startsWith("Failed InvalidBucketName: no name of a bucket: ");
    }

    /// OBC-1.
    @Test
    void aClaimWithoutANameIsToldSo() {
        assertThat(told(plan(claim("bucketName: ''"), HERE, Optional.empty())))
                .isEqualTo("Failed InvalidBucketName: spec needs bucketName or generateBucketName");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1001", "many", "1e3", "007"})
    void furtherBucketsAreANumber(String more) {
        var claim = claim("bucketName: abc, additionalConfig: {towtank.dev/more-buckets: '" + more + "'}");
        assertThat(told(plan(claim, HERE, Optional.empty()))).startsWith("Failed InvalidConfig: ");
    }

    @Test
    void anObjectStoreElsewhereNeedsItsAdministratorsKeys() {
        var claim = claim("bucketName: abc");
        assertThat(told(plan(claim, ELSEWHERE, Optional.empty())))
                .isEqualTo("Pending AdminSecretNotFound: StorageClass minio needs Secret storage/admin with"
                        + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which is not there");
        assertThat(told(plan(claim, ELSEWHERE, Optional.of(object("{data: {AWS_ACCESS_KEY_ID: YQ==}}")))))
                .endsWith("which it does not have");
        assertThat(told(plan(
                        claim,
                        "{provisioner: towtank.dev/bucket, metadata: {name: s}, parameters: {endpoint: 'http://a'}}",
                        Optional.empty())))
                .startsWith("Failed InvalidStorageClass: StorageClass s: parameters.adminSecretName is missing");
        for (var endpoint : new String[] {"minio", "ftp://minio", "http://a/b", "http://user:pw@a", "http://a b"}) {
            assertThat(told(plan(
                            claim,
                            ELSEWHERE.replace("https://minio.example:9000", endpoint),
                            Optional.of(object(ADMIN)))))
                    .startsWith("Failed InvalidStorageClass: StorageClass minio: parameters.endpoint must be");
        }
    }

    /// What goes wrong there is told, without a key, and tried again.
    @Test
    void anObjectStoreElsewhereThatRefusesIsAskedAgain() {
        var deed = deed(plan(claim("bucketName: abc"), ELSEWHERE, Optional.of(object(ADMIN))));
        assertThat(deed.deed().json().toString()).contains("minio").doesNotContain("hush", "aHVzaA");

        var sequel = deed.sequel().after(Json.Obj.of("problem", Json.of("nobody answers")));
        assertThat(told(sequel)).isEqualTo("Pending ObjectStoreNotReady: nobody answers");
        assertThat(sequel.lookAgain()).contains(NOW.plusSeconds(5));
        assertThat(told(deed.sequel().after(Json.Null.NULL))).startsWith("Failed BucketAlreadyExists: ");
    }

    @Test
    void aSecretOfSomebodyElseIsNotTaken() {
        var facts = new ClaimFacts(
                Optional.of(object(HERE)),
                Optional.of(object("{kind: Secret, metadata: {name: models, namespace: team}}")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Doorway(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(told(new BucketClaimReconciler()
                        .reconcile(Observed.of(BucketKinds.CLAIM, claim("bucketName: abc")), facts, NOW)))
                .isEqualTo("Failed SecretExists: Secret models is there already and is not of this claim: rename the"
                        + " claim, or delete it");
    }
}
