/// What every namespace has without anybody asking: the ServiceAccount `default`, and the ConfigMap `kube-root-ca.crt`
/// by which pods trust the API server. Both come back when somebody deletes them.
@NullMarked
package dev.towtank.controllers.namespaces;

import org.jspecify.annotations.NullMarked;
