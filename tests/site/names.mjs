// TypeDoc names modules by their files. Users know them by what they import.
import { Converter, ReflectionKind } from 'typedoc';

const imported = (file) => (file === 'index' ? 'ebbline' : `ebbline/${file.replace(/^adapters\/|-node$/g, '')}`);

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const module of context.project.getReflectionsByKind(ReflectionKind.Module)) module.name = imported(module.name);
  });
}
