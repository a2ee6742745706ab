package dev.towtank.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Gives a test a Kubernetes API of its own.
///
/// ```java
/// @Test
/// void makesAConfigMap(@Towtank Cluster cluster) {
///     cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one}}");
///     assertThat(cluster.get("configmap", "one").name()).isEqualTo("one");
/// }
/// ```
///
/// On a parameter or field of type [Cluster], [java.nio.file.Path] (a kubeconfig file, for other clients) or `String`
/// (its text). All those of one test are of the same cluster; those of static fields and of `@BeforeAll` belong to the
/// class, and are shared by its tests.
@Documented
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TowtankExtension.class)
public @interface Towtank {}
