/// The controllers of Kubernetes' own workloads: what makes pods of Deployments, Jobs and their kind, and addresses of
/// Services. Each is a pure function; the rules, reasons and texts are Kubernetes'.
@NullMarked
package dev.towtank.controllers.workloads;

import org.jspecify.annotations.NullMarked;
