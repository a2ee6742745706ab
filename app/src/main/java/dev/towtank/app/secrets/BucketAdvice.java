package dev.towtank.app.secrets;

/// What to do when an object store refuses keys.
final class BucketAdvice {

    private BucketAdvice() {}

    static String of(String problem, String namespace, String externalSecret) {
        var again = "kubectl -n " + namespace + " annotate externalsecret " + externalSecret
                + " force-sync=$(date +%s) --overwrite";
        if (problem.startsWith("InvalidAccessKeyId")) {
            return "the keys were rotated, or are of another store; to read them again: " + again;
        }
        if (problem.startsWith("SignatureDoesNotMatch")) {
            return "the secret key does not belong to the access key: let both come from the same Secret";
        }
        if (problem.startsWith("AccessDenied") || problem.startsWith("NoSuchBucket")) {
            return "let AWS_S3_BUCKET come from the Secret or the ConfigMap of the claim that the keys are of";
        }
        return "correct AWS_S3_ENDPOINT, or start the object store that it names";
    }
}
