package dev.towtank.controllers.buckets.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.cluster.web.WebRequest;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The numbers are those of the examples in the documentation of Amazon S3.
class AuthorizationTest {

    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final String SCOPE = "20130524/us-east-1/s3/aws4_request";
    private static final String CREDENTIAL = "AKIAIOSFODNN7EXAMPLE/" + SCOPE;
    private static final Instant THEN = Instant.parse("2013-05-24T00:00:00Z");
    private static final String PRESIGNED = "X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";

    private static WebRequest request(String method, String path, String query, Map<String, String> headers) {
        var all = new HashMap<String, List<String>>();
        all.put("host", List.of("examplebucket.s3.amazonaws.com"));
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        return new WebRequest(method, path, query, all, InputStream.nullInputStream(), Optional.empty(), false);
    }

    private static WebRequest signed(
            String method, String path, String query, Map<String, String> headers, String signature) {
        var all = new HashMap<>(headers);
        all.putIfAbsent("x-amz-content-sha256", Signing.NOTHING);
        all.put("x-amz-date", "20130524T000000Z");
        var names = new TreeSet<>(all.keySet());
        names.add("host");
        all.put(
                "authorization",
                "AWS4-HMAC-SHA256 Credential=" + CREDENTIAL + ",SignedHeaders=" + String.join(";", names)
                        + ",Signature=" + signature);
        return request(method, path, query, all);
    }

    private static String code(WebRequest request, String secret, Instant now) {
        var refusal = catchThrowableOfType(
                S3Refusal.class, () -> Authorization.read(request).verified(request, secret, now));
        return refusal == null ? "" : refusal.code();
    }

    private static final WebRequest GET = signed(
            "GET",
            "/test.txt",
            "",
            Map.of("range", "bytes=0-9"),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");

    @Test
    void aSignedHeaderIsTaken() {
        assertThat(code(GET, SECRET, THEN)).isEmpty();
    }

    @Test
    void escapesInThePathAndTheQueryAreSignedInOneForm() {
        var put = signed(
                "PUT",
                "/test$file.text",
                "",
                Map.of(
                        "date", "Fri, 24 May 2013 00:00:00 GMT",
                        "x-amz-storage-class", "REDUCED_REDUNDANCY",
                        "x-amz-content-sha256", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"),
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
        var lifecycle = signed(
                "GET", "/", "lifecycle", Map.of(), "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
        var list = signed(
                "GET",
                "/",
                "prefix=J&max-keys=2",
                Map.of(),
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");

        assertThat(code(put, SECRET, THEN)).isEmpty();
        assertThat(code(lifecycle, SECRET, THEN)).isEmpty();
        assertThat(code(list, SECRET, THEN)).isEmpty();
    }

    /// Bad input, presigned URLs past their time.
    @Test
    void aPresignedAddressIsTakenUntilItsTimeIsOver() {
        var request = request("GET", "/test.txt", PRESIGNED, Map.of());

        assertThat(code(request, SECRET, THEN.plus(Duration.ofHours(23)))).isEmpty();
        assertThat(code(request, SECRET, THEN.plus(Duration.ofHours(25)))).isEqualTo("AccessDenied");
        assertThat(code(request("GET", "/other.txt", PRESIGNED, Map.of()), SECRET, THEN))
                .isEqualTo("SignatureDoesNotMatch");
    }

    /// Bad input, forged signatures, and the table of failures, a wrong key.
    @Test
    void anotherSecretOrAnotherRequestDoesNotMatch() {
        assertThat(code(GET, SECRET + "x", THEN)).isEqualTo("SignatureDoesNotMatch");
        var headers = new HashMap<>(GET.headers());
        headers.put("range", List.of("bytes=0-99"));
        var forged = new WebRequest("GET", "/test.txt", "", headers, GET.body(), Optional.empty(), false);
        assertThat(code(forged, SECRET, THEN)).isEqualTo("SignatureDoesNotMatch");
    }

    /// Bad input, clock skew in signatures.
    @Test
    void aClockThatIsWrongIsToldSo() {
        assertThat(code(GET, SECRET, THEN.plus(Duration.ofMinutes(16)))).isEqualTo("RequestTimeTooSkewed");
        assertThat(code(GET, SECRET, THEN.minus(Duration.ofMinutes(16)))).isEqualTo("RequestTimeTooSkewed");
    }

    @Test
    void aHeaderOfAmazonThatIsNotSignedIsRefused() {
        var headers = new HashMap<>(GET.headers());
        headers.put("x-amz-copy-source", List.of("/other/secret"));
        var smuggled = new WebRequest("GET", "/test.txt", "", headers, GET.body(), Optional.empty(), false);

        assertThat(code(smuggled, SECRET, THEN)).isEqualTo("AccessDenied");
    }

    @Test
    void aRequestWithoutASignatureIsRefused() {
        assertThat(code(request("GET", "/test.txt", "", Map.of()), SECRET, THEN))
                .isEqualTo("AccessDenied");
        assertThat(code(request("GET", "/", "", Map.of("authorization", "AWS AKIA:old")), SECRET, THEN))
                .isEqualTo("InvalidRequest");
    }

    @Test
    void piecesOfABodyAreSignedOneAfterTheOther() {
        var signing = Signing.of(SECRET, "20130524T000000Z", SCOPE);
        var first = signing.ofChunk(
                "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9", Signing.sha256("a".repeat(65536)));
        var second = signing.ofChunk(first, Signing.sha256("a".repeat(1024)));

        assertThat(first).isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
        assertThat(second).isEqualTo("0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
        assertThat(signing.ofChunk(second, Signing.NOTHING))
                .isEqualTo("b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
    }
}
