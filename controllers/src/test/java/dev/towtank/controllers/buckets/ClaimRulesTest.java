package dev.towtank.controllers.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimRulesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            {bucketName: a}                          | {bucketName: a}         | -
            {generateBucketName: a}                  | {bucketName: a}         | -
            {bucketName: a}                          | {bucketName: b}         | bucketName is immutable once it is set
            {storageClassName: a}                    | {storageClassName: b}   | -
            {objectBucketName: o, storageClassName: a} | {storageClassName: b} | storageClassName is immutable once a bucket is provided
            """)
    void saysWhatCannotChangeAnyMore(String old, String now, String problem) {
        var refusal = new ClaimRules().refusal(claim(now), claim(old)).map(StatusError::text);

        if (problem == null) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal.orElseThrow()).endsWith(problem);
        }
        assertThat(new ClaimRules().refusal(claim(now), null)).isEmpty();
    }

    private static Json.Obj claim(String spec) {
        return (Json.Obj) YamlText.parse("{metadata: {name: c}, spec: " + spec + "}");
    }
}
