package dev.towtank.junit;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/// Puts clusters where tests want them. Registered by [Towtank].
///
/// What lives how long is up to the stores of JUnit: the server in that of the whole run, a cluster in that
/// of its test or class; each closes what is in it at its end.
final class TowtankExtension implements ParameterResolver, BeforeAllCallback, BeforeEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(TowtankExtension.class);
    private static final String PATIENCE = "towtank.patience";
    private static final List<Class<?>> TYPES = List.of(Cluster.class, Path.class, String.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(Towtank.class)
                && TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return value(parameter.getParameter().getType(), context);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        fill(context.getRequiredTestClass(), null, context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        // The outer instances of nested tests, too.
        for (var instance : context.getRequiredTestInstances().getAllInstances()) {
            fill(instance.getClass(), instance, context);
        }
    }

    private static void fill(Class<?> type, @Nullable Object instance, ExtensionContext context) {
        var fields = AnnotationSupport.findAnnotatedFields(
                type,
                Towtank.class,
                field -> Modifier.isStatic(field.getModifiers()) == (instance == null),
                HierarchyTraversalMode.TOP_DOWN);
        fields.forEach(field -> set(field, instance, context));
    }

    private static void set(Field field, @Nullable Object instance, ExtensionContext context) {
        if (!TYPES.contains(field.getType())) {
            throw new ExtensionConfigurationException("@Towtank does not know what to put into " + field
                    + ": use a Cluster, a Path for its kubeconfig, or a String for the text of that");
        }
        if (Modifier.isFinal(field.getModifiers())) {
            throw new ExtensionConfigurationException("@Towtank cannot fill " + field + ", because it is final");
        }
        try {
            field.setAccessible(true);
            field.set(instance, value(field.getType(), context));
        } catch (IllegalAccessException e) {
            throw new ExtensionConfigurationException("@Towtank cannot fill " + field, e);
        }
    }

    private static Object value(Class<?> type, ExtensionContext context) {
        var cluster = context.getStore(NAMESPACE)
                .computeIfAbsent(context.getUniqueId(), _ -> server(context).cluster(patience(context)), Cluster.class);
        if (type == Path.class) {
            return cluster.kubeconfig();
        }
        return type == String.class ? cluster.kubeconfigText() : cluster;
    }

    private static Duration patience(ExtensionContext context) {
        var given = context.getConfigurationParameter(PATIENCE).orElse("PT30S");
        try {
            return Duration.parse(given);
        } catch (DateTimeParseException e) {
            throw new ExtensionConfigurationException(
                    "the configuration parameter " + PATIENCE + " is a duration like PT30S or PT2M, not \"" + given
                            + "\"",
                    e);
        }
    }

    private static SharedServer server(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(SharedServer.class, _ -> SharedServer.start(), SharedServer.class);
    }
}
