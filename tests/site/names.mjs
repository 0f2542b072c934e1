// TypeDoc names modules by their files. Users know them by what they import.
import { Converter, ReflectionFlag, ReflectionKind } from 'typedoc';

const imported = (file) => (file === 'index' ? 'ebbline' : `ebbline/${file.replace(/^adapters\/|-node$/g, '')}`);

/** A constant that holds a function is a function to its users. */
function asFunction(variable) {
  const { signatures, children } = variable.type?.declaration ?? {};
  if (signatures === undefined || children !== undefined) return;
  for (const signature of signatures) {
    signature.name = variable.name;
    signature.parent = variable;
    signature.comment ??= variable.comment?.clone();
  }
  variable.kind = ReflectionKind.Function;
  variable.signatures = signatures;
  variable.setFlag(ReflectionFlag.Const, false);
  delete variable.type;
  delete variable.comment;
}

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) module.name = imported(module.name);
    for (const variable of project.getReflectionsByKind(ReflectionKind.Variable)) asFunction(variable);
  });
}
