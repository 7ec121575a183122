// Property testing, by its one name.
export { default as fc } from "npm:fast-check@4.9.0";
